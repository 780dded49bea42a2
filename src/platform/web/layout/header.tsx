import { useShownTitle } from '../page-title.ts';
import { useUser } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Brand, useRoleName } from './brand.tsx';
import { Drawer } from './drawer.tsx';
import { UserMenu } from './user-menu.tsx';

export function Header() {
  const { role } = useUser();
  const roleName = useRoleName(role);
  return (
    <header className="sticky top-0 z-20 flex h-16 items-center gap-2 border-b border-line bg-surface px-4 lg:static lg:justify-end lg:border-transparent lg:bg-transparent lg:px-10">
      <Drawer />
      <div className="min-w-0 grow lg:hidden">
        <Title />
      </div>
      <Badge tone={role === 'admin' ? 'waiting' : 'plain'}>{roleName}</Badge>
      <UserMenu />
    </header>
  );
}

/** The page's name on small screens; its h1 is on the page too, but only for screen readers. */
function Title() {
  const title = useShownTitle();
  if (title === '') return <Brand isShort />;
  return (
    <p aria-hidden="true" className="line-clamp-2 font-serif text-lg leading-tight">
      {title}
    </p>
  );
}
