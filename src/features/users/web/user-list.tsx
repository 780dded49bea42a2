import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { finder } from '../../../platform/web/finder.ts';
import { refresh } from '../../../platform/web/query-client.ts';
import { useUser } from '../../../platform/web/session.ts';
import { Announce } from '../../../platform/web/ui/announce.tsx';
import { Button } from '../../../platform/web/ui/button.tsx';
import { TextField } from '../../../platform/web/ui/field.tsx';
import { useFocusAfterLeaving } from '../../../platform/web/ui/focus-after-leaving.ts';
import { Notice } from '../../../platform/web/ui/notice.tsx';
import type { ListedUser } from '../contract.ts';
import { DeleteUserDialog, type Deletion } from './delete-user-dialog.tsx';
import { USERS } from './listed-users.ts';
import { UserRow } from './user-row.tsx';

/** Rows rendered at first, and added at a time: typing stays quick with thousands of users. */
const ROWS_AT_FIRST = 20;
const ROWS_MORE = 100;

const search = finder<ListedUser>(({ firstName, lastName, username, email }) =>
  [firstName, lastName, username, email].join(' '),
);

type UserListProps = {
  users: readonly ListedUser[];
  selectedId: string | null;
  onDeleted: (id: string) => void;
};

export function UserList({ users, selectedId, onDeleted }: UserListProps) {
  const ownId = useUser().id;
  const section = useRef<HTMLElement>(null);
  const [typed, setTyped] = useState('');
  const [rows, setRows] = useState(ROWS_AT_FIRST);
  const [askedId, setAskedId] = useState<string | null>(null);
  const [deletion, setDeletion] = useState<Deletion | null>(null);
  const query = useDeferredValue(typed);
  const found = useMemo(() => search.find(users, query), [users, query]);
  const shown = found.slice(0, rows);
  useFocusAfterLeaving(
    section,
    shown.map(({ id }) => id),
  );
  // A user's data may have grown since the list was fetched.
  const askToDelete = useCallback(({ id }: ListedUser) => {
    setAskedId(id);
    refresh([USERS]);
  }, []);
  const showMore = () => {
    flushSync(() => setRows(rows + ROWS_MORE));
    section.current?.querySelectorAll<HTMLElement>('[data-item]')[rows]?.focus();
  };
  const count = found.length === 1 ? '1 user' : `${found.length.toLocaleString('en')} users`;
  return (
    <section ref={section} aria-label="Users">
      <TextField
        label="Search users"
        type="search"
        name="search"
        placeholder="Name, username or email"
        autoComplete="off"
        data-when-empty=""
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setRows(ROWS_AT_FIRST);
        }}
      />
      <p className="mt-2 mb-3 text-sm text-soft">{count}</p>
      <Announce text={count} />
      {deletion && (
        <Notice tone={deletion.isFailure ? 'danger' : 'success'} title={deletion.title} className="mb-3">
          <span className="break-words">{deletion.text}</span>
        </Notice>
      )}
      {found.length === 0 && <p className="text-soft">Nobody here has this name, username or email.</p>}
      {/* On phones only the page scrolls. */}
      <div className="lg:-m-1.5 lg:max-h-[calc(100dvh-10rem)] lg:overflow-y-auto lg:border-b lg:border-line lg:p-1.5">
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {shown.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              isSelected={user.id === selectedId}
              isOneself={user.id === ownId}
              onDelete={askToDelete}
            />
          ))}
        </ul>
        {found.length > rows && (
          <Button isWide className="mt-4" onClick={showMore}>
            Show more ({(found.length - rows).toLocaleString('en')} left)
          </Button>
        )}
      </div>
      <DeleteUserDialog
        user={users.find(({ id }) => id === askedId) ?? null}
        onClose={() => setAskedId(null)}
        onDone={(done, deletedId) => {
          setDeletion(done);
          if (deletedId !== null) onDeleted(deletedId);
        }}
      />
    </section>
  );
}
