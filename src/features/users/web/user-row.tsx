import { clsx } from 'clsx';
import { memo, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import type { ListedUser } from '../contract.ts';
import { UserActions } from './user-actions.tsx';
import { RoleBadge, StateBadge } from './user-badges.tsx';

type UserRowProps = {
  user: ListedUser;
  isSelected: boolean;
  /** The teacher who looks at the list: nobody disables themselves. */
  isOneself: boolean;
  /** Stable across renders, or every row is re-rendered. */
  onDelete: (user: ListedUser) => void;
};

/** One user of the list; selecting is a link, so that Back works. */
export const UserRow = memo(function UserRow({ user, isSelected, isOneself, onDelete }: UserRowProps) {
  const isWide = useIsWide();
  const name = [user.firstName, user.lastName].filter(Boolean).join(' ');
  return (
    <li
      className={clsx(
        'rounded-lg border text-sm',
        isSelected ? 'border-action bg-action-ground' : 'border-line bg-surface',
      )}
    >
      <Link
        href={`/admin/users?user=${user.id}`}
        replace={isWide}
        state={isWide ? null : { fromList: true }}
        aria-current={isSelected ? 'true' : undefined}
        data-item={user.id}
        className={clsx('block rounded-lg px-4 pt-3 pb-2', !isSelected && 'hover:bg-sunk')}
      >
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="me-auto min-w-0 text-base font-semibold break-words">{user.username}</span>
          <RoleBadge role={user.role} />
          <StateBadge isActive={user.isActive} />
        </span>
        {name && (
          <span dir="auto" className="mt-0.5 block break-words">
            {name}
          </span>
        )}
        <span className="block break-words text-soft">{user.email}</span>
      </Link>
      {isOneself ? (
        <p className="px-4 pb-3 text-sm text-soft">This is your own account.</p>
      ) : (
        <UserActions user={user} onDelete={onDelete} />
      )}
    </li>
  );
});

const wide = matchMedia('(min-width: 64rem)');

/** Whether the list has the selected user beside it. */
export function useIsWide() {
  return useSyncExternalStore(
    (listener) => {
      wide.addEventListener('change', listener);
      return () => wide.removeEventListener('change', listener);
    },
    () => wide.matches,
  );
}
