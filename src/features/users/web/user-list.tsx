import { useDeferredValue, useMemo, useState } from 'react';
import { Announce } from '../../../platform/web/ui/announce.tsx';
import { Button } from '../../../platform/web/ui/button.tsx';
import { TextField } from '../../../platform/web/ui/field.tsx';
import type { ListedUser } from '../contract.ts';
import { UserRow } from './user-row.tsx';
import { searchable } from './user-search.ts';

/** Rows drawn at a time, so that typing stays quick with thousands of users. */
const ROWS_AT_ONCE = 100;

type UserListProps = { users: readonly ListedUser[]; selectedId: string | null };

export function UserList({ users, selectedId }: UserListProps) {
  const [typed, setTyped] = useState('');
  const [rows, setRows] = useState(ROWS_AT_ONCE);
  const query = useDeferredValue(typed);
  const search = useMemo(() => searchable(users), [users]);
  const found = useMemo(() => search(query), [search, query]);
  const count = found.length === 1 ? '1 user' : `${found.length.toLocaleString('en')} users`;
  return (
    <section aria-label="Users">
      <TextField
        label="Search users"
        type="search"
        name="search"
        placeholder="Name, username or email"
        autoComplete="off"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setRows(ROWS_AT_ONCE);
        }}
      />
      <p className="mt-2 mb-3 text-sm text-soft">{count}</p>
      <Announce text={count} />
      {found.length === 0 && <p className="text-soft">Nobody here has this name, username or email.</p>}
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {found.slice(0, rows).map((user) => (
          <UserRow key={user.id} user={user} isSelected={user.id === selectedId} />
        ))}
      </ul>
      {found.length > rows && (
        <Button isWide className="mt-4" onClick={() => setRows(rows + ROWS_AT_ONCE)}>
          Show more ({(found.length - rows).toLocaleString('en')} left)
        </Button>
      )}
    </section>
  );
}
