import { clsx } from 'clsx';
import { ChartNoAxesColumn, LogOut, UserRound } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { usePathExists } from '#web/navigation/existing-paths.ts';
import { formatDisplayName, useUser } from '#web/api/session.ts';
import { Badge, CountBadge } from '#web/ui/badge.tsx';
import { Initials } from '#web/ui/initials.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { Brand, useRoleName } from '#web/layout/brand.tsx';
import { type MenuCount, useMenuCounts } from './use-menu-counts.ts';
import { type NavigationItem, useNavigationItems } from './menu.ts';
import { openPracticeLogDialog } from './lazy-practice-log-dialog.tsx';
import { useSignOut } from '#web/layout/sign-out.ts';

/** The side menu, shown in the fixed column and in the drawer. */
export function SideMenu({ onLinkClick }: { onLinkClick?: () => void }) {
  const user = useUser();
  const menu = useNavigationItems(user.role);
  const counts = useMenuCounts();
  return (
    <div className="flex min-h-full flex-col gap-4 p-4">
      <Brand {...(onLinkClick ? { onClick: onLinkClick } : {})} />
      <Person />
      <nav aria-label="Main">
        <ul className="grid gap-1">
          {menu.map((item) => (
            <li key={item.path}>
              <MenuLink item={item} count={counts[item.path]} onClick={onLinkClick} />
            </li>
          ))}
        </ul>
      </nav>
      <Account onLinkClick={onLinkClick} />
    </div>
  );
}

function Person() {
  const user = useUser();
  const roleName = useRoleName(user.role);
  const name = formatDisplayName(user);
  return (
    <div className="flex items-center gap-3 rounded-md bg-sunk p-3">
      <Initials name={name} />
      <div className="min-w-0">
        <p dir="auto" className="text-sm leading-snug font-semibold break-words">
          {name}
        </p>
        {user.role === 'admin' ? (
          <Badge tone="waiting" className="mt-1">
            {roleName}
          </Badge>
        ) : (
          <p className="text-xs text-soft">{roleName}</p>
        )}
      </div>
    </div>
  );
}

type MenuLinkProps = {
  item: NavigationItem;
  count: MenuCount | undefined;
  onClick: (() => void) | undefined;
};

function MenuLink({ item, count, onClick }: MenuLinkProps) {
  const [address] = useLocation();
  const isHere = address === item.path;
  return (
    <Link
      href={item.path}
      {...(onClick ? { onClick } : {})}
      aria-current={isHere ? 'page' : undefined}
      className={clsx(
        'flex min-h-11 items-center gap-3 rounded-md px-3 py-2 text-sm leading-tight font-semibold',
        isHere ? 'bg-action-ground text-action' : 'text-ink hover:bg-sunk',
      )}
    >
      <item.icon aria-hidden="true" className="size-5 shrink-0" />
      <span className="grow">{item.label}</span>
      {count && <CountBadge count={count.count} noun={count.noun} />}
    </Link>
  );
}

function Account({ onLinkClick }: { onLinkClick: (() => void) | undefined }) {
  const user = useUser();
  const signOut = useSignOut();
  const line = 'flex min-h-11 w-full items-center gap-3 rounded-md px-3 py-2 text-sm leading-tight';
  const address = (
    <>
      <UserRound className="size-5 shrink-0" />
      <span className="min-w-0 wrap-anywhere">
        <span className="block font-semibold text-ink">Profile</span>
        {user.email || user.username}
      </span>
    </>
  );
  return (
    <div className="mt-auto grid gap-1">
      {user.role === 'student' && (
        <button
          type="button"
          onClick={() => {
            onLinkClick?.();
            openPracticeLogDialog();
          }}
          className={clsx(line, 'text-start font-semibold hover:bg-sunk')}
        >
          <ChartNoAxesColumn className="size-5 shrink-0" />
          Practice log
        </button>
      )}
      {usePathExists('/change-password') ? (
        <Link
          href="/change-password"
          {...(onLinkClick ? { onClick: onLinkClick } : {})}
          className={clsx(line, 'text-soft hover:bg-sunk')}
        >
          {address}
          <span className="sr-only">: change password</span>
        </Link>
      ) : (
        <p className={clsx(line, 'text-soft')}>{address}</p>
      )}
      <button
        type="button"
        aria-busy={signOut.isPending || undefined}
        onClick={() => !signOut.isPending && signOut.mutate()}
        className={clsx(line, 'text-start font-semibold hover:bg-sunk')}
      >
        {signOut.isPending ? <Spinner /> : <LogOut className="size-5 shrink-0" />}
        Sign Out
      </button>
    </div>
  );
}
