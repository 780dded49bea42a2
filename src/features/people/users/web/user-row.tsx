import { clsx } from 'clsx';
import { memo, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import { displayName } from '#web/api/session.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import type { ListedUser } from '../contract.ts';
import { UserActions } from './user-actions.tsx';
import { RoleBadge, StateBadge } from './user-badges.tsx';

type UserRowProps = {
  user: ListedUser;
  isSelected: boolean;
  /** Selected for a bulk action. */
  isTicked: boolean;
  /** The row of the signed-in teacher, who can't disable her own account. */
  isOneself: boolean;
  /** Must be stable across renders, or every row renders again. */
  onTick: (id: string, isTicked: boolean) => void;
  onDelete: (user: ListedUser) => void;
};

/** A user in the list. Selecting is a link, so that Back works. */
export const UserRow = memo(function UserRow(props: UserRowProps) {
  const { user, isSelected, isTicked, isOneself, onTick, onDelete } = props;
  const isWide = useIsWide();
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
            label={<span className="sr-only">Select {displayName(user)}</span>}
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
          'flex min-h-13 min-w-0 grow basis-56 flex-wrap items-center gap-x-3 gap-y-1 rounded-md px-2 py-1',
          '@xl:basis-0 @xl:flex-nowrap @xl:[&_span]:truncate',
          !isSelected && 'hover:bg-sunk',
        )}
      >
        <span className="min-w-0 grow basis-44">
          <span dir="auto" className="block text-base leading-tight font-semibold break-words">
            {name || user.username}
          </span>
          <span className="block leading-tight wrap-anywhere text-soft">
            {name && `${user.username} · `}
            {user.email}
          </span>
        </span>
        <span className="flex flex-wrap gap-1.5 @xl:shrink-0 @xl:flex-nowrap">
          <RoleBadge role={user.role} />
          <StateBadge isActive={user.isActive} />
        </span>
      </Link>
      {isOneself ? (
        <p className="px-3 text-sm text-soft @max-xl:w-full @max-xl:ps-13 @max-xl:pb-2">
          This is your own account.
        </p>
      ) : (
        isWide && <UserActions user={user} onDelete={onDelete} />
      )}
    </li>
  );
});

const wide = matchMedia('(min-width: 64rem)');

/** Returns whether the selected user is shown beside the list. */
export function useIsWide() {
  return useSyncExternalStore(
    (listener) => {
      wide.addEventListener('change', listener);
      return () => wide.removeEventListener('change', listener);
    },
    () => wide.matches,
  );
}
