import { useDisplayedTitle } from '#web/navigation/page-title.ts';
import { useUser } from '#web/api/session.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Brand, useRoleName } from '#web/layout/brand.tsx';
import { MenuDrawer } from './menu-drawer.tsx';
import { LazyAccountMenu } from './lazy-account-menu.tsx';

export function Header() {
  const { role } = useUser();
  const roleName = useRoleName(role);
  return (
    <header className="@container sticky top-0 z-20 border-b border-line bg-surface lg:static lg:border-transparent lg:bg-transparent flat:static">
      <div className={row}>
        <MenuDrawer />
        <div className={titleAndRole}>
          <div className="max-w-full min-w-0 grow lg:hidden">
            <Title />
          </div>
          <Badge tone={role === 'admin' ? 'waiting' : 'plain'}>{roleName}</Badge>
        </div>
        <LazyAccountMenu />
      </div>
    </header>
  );
}

// Container queries take the text size into account: with large text, even a wide screen has the narrow
// layout.
const row =
  'flex min-h-16 items-center gap-2 px-4 py-1 lg:justify-end lg:px-10 @max-[15rem]:flex-wrap @max-[15rem]:justify-between';
const titleAndRole =
  'flex min-w-0 items-center gap-2 max-lg:grow @max-[30rem]:flex-col @max-[30rem]:items-start @max-[30rem]:gap-0 @max-[15rem]:order-last @max-[15rem]:w-full';

/**
 * Shows the page's title on small screens, or the brand if the page has no title. The page's own h1 is
 * visible only to screen readers there.
 */
function Title() {
  const title = useDisplayedTitle();
  if (title === '') return <Brand isInHeader />;
  return (
    <p
      aria-hidden="true"
      className="truncate font-serif text-header leading-tight @max-[15rem]:whitespace-normal"
    >
      {title}
    </p>
  );
}
