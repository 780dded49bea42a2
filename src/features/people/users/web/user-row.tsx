import { clsx } from 'clsx';
import { memo, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { formatDisplayName } from '#web/api/session.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import type { ListedUser } from '../contract.ts';
import { UserActions } from './user-actions.tsx';
import { RoleBadge, AccountStatusBadge } from './user-badges.tsx';

type UserRowProps = {
  user: ListedUser;
  isSelected: boolean;
  /** Whether the user is selected for a bulk action. */
  isTicked: boolean;
  /** Whether this is the row of the signed-in teacher, who can't disable her own account. */
  isOneself: boolean;
  /** Must be stable across renders, or every row renders again. */
  onTick: (id: string, isTicked: boolean) => void;
  onDelete: (user: ListedUser) => void;
};

/** A user in the list. Selecting a user follows a link, so that Back works. */
export const UserRow = memo(function UserRow(props: UserRowProps) {
  const { user, isSelected, isTicked, isOneself, onTick, onDelete } = props;
  const isWide = useIsWideScreen();
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
  return (
    <li
      className={clsx(
        'flex flex-wrap items-center border-b border-line text-sm',
        isSelected ? 'bg-action-ground' : 'bg-surface',
      )}
    >
      <span className="w-11 shrink-0">
        {!isOneself && (
          <Checkbox
            className="ps-2.5"
            label={<span className="sr-only">Select {formatDisplayName(user)}</span>}
            checked={isTicked}
            onChange={(event) => onTick(user.id, event.target.checked)}
          />
        )}
      </span>
      <Link
        href={`/admin/users?user=${user.id}`}
        replace={isWide}
        state={isWide ? null : { fromList: true }}
        aria-current={isSelected ? 'true' : undefined}
        data-item={user.id}
        className={clsx(
          'grid min-h-13 min-w-0 grow basis-0 grid-cols-[minmax(0,1fr)] content-center items-center gap-x-3 rounded-md px-2 py-1 @max-md:gap-y-1 @md:grid-cols-[minmax(0,1fr)_auto] @md:py-0.5',
          !isSelected && 'hover:bg-sunk',
        )}
      >
        <span dir="auto" className="min-w-0 text-base leading-tight font-semibold break-words">
          {name || user.username}
        </span>
        <span className="min-w-0 leading-tight wrap-anywhere text-soft @md:col-span-2 @md:row-start-2 lg:@md:truncate">
          {name && `${user.username} · `}
          {user.email}
        </span>
        <span className="flex flex-wrap gap-1.5 @xs:flex-nowrap">
          <RoleBadge role={user.role} />
          <AccountStatusBadge isActive={user.isActive} />
        </span>
      </Link>
      {isOneself ? (
        <p className="px-3 text-sm leading-tight text-soft max-lg:w-full max-lg:ps-13 max-lg:pb-2 @max-xl:lg:w-31">
          This is your own account.
        </p>
      ) : (
        isWide && <UserActions user={user} onDelete={onDelete} />
      )}
    </li>
  );
});

const wideScreen = matchMedia('(min-width: 64rem)');

/** Returns whether the screen is wide enough to show a user's details beside the list. */
export function useIsWideScreen() {
  return useSyncExternalStore(
    (listener) => {
      wideScreen.addEventListener('change', listener);
      return () => wideScreen.removeEventListener('change', listener);
    },
    () => wideScreen.matches,
  );
}
