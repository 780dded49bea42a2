import { useCallback, useRef, useState } from 'react';
import { findInPages, rowsOf, totalOf, useSearchedPages } from '#web/navigation/pages.ts';
import { displayName, useUser } from '#web/api/session.ts';
import { Announce } from '#web/ui/announce.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useFocusAfterLeaving } from '#web/ui/focus-after-leaving.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { useSettled } from '#web/ui/use-settled.ts';
import type { ListedUser, OnlyUsers } from '../contract.ts';
import type { Deletion } from './delete-user-dialog.tsx';
import { USERS } from './listed-users.ts';
import { ManyUsers } from './many-users.tsx';
import { useIsWide, UserRow } from './user-row.tsx';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query-client.ts';
import { Select } from '#web/ui/select.tsx';

const SEARCH_MAX = 200;

type UserListProps = {
  selectedId: string | null;
  /** The result of the last deletion. */
  deletion: Deletion | null;
  /** Must be stable across renders, or every row renders again. */
  onDelete: (user: ListedUser) => void;
};

export function UserList({ selectedId, deletion, onDelete }: UserListProps) {
  const ownId = useUser().id;
  const isWide = useIsWide();
  const section = useRef<HTMLElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [typed, setTyped] = useState('');
  const [filter, setFilter] = useState<UserFilter>(ALL);
  const [ticked, setTicked] = useState<ReadonlyMap<string, string>>(new Map());
  const words = useSettled(typed.trim());
  const pages = useSearchedPages('GET /api/admin/users', {
    query: { ...(words !== '' && { q: words }), ...filter },
  });
  const users = rowsOf(pages.data);
  const tick = useCallback((id: string, isTicked: boolean) => {
    setTicked((before) => {
      const after = new Map(before);
      const user = findInPages<ListedUser>(USERS, id);
      if (isTicked && user) after.set(id, displayName(user));
      else after.delete(id);
      return after;
    });
  }, []);
  const others = users.filter(({ id }) => id !== ownId);
  useFocusAfterLeaving(
    section,
    users.map(({ id }) => id),
  );
  return (
    <section ref={section} aria-label="Users" className="@container">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-3 @sm:grid-cols-2 @xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <TextField
          label="Search users"
          type="search"
          name="search"
          placeholder="Name, username or email"
          autoComplete="off"
          maxLength={SEARCH_MAX}
          data-when-empty=""
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="@max-xl:col-span-full"
        />
        <UserFilters filter={filter} onChange={setFilter} />
      </div>
      <div className="my-1.5 flex flex-wrap items-center gap-x-6">
        {pages.data && <Count count={totalOf(pages.data)} isOutdated={pages.isPlaceholderData} />}
        <ManyUsers
          ticked={ticked}
          shown={others}
          onTick={(all) => setTicked(new Map(all.map((user) => [user.id, displayName(user)])))}
        />
      </div>
      {deletion && (
        <Notice tone={deletion.isFailure ? 'danger' : 'success'} title={deletion.title} className="mb-3">
          <span className="break-words">{deletion.text}</span>
        </Notice>
      )}
      {pages.isError && !pages.isFetchNextPageError && (
        <LoadFailure sentence="Couldn’t load the users." of={pages} />
      )}
      {pages.isPending && (
        <SkeletonList label="Loading the users..." count={6} className="mt-3 gap-2" itemClassName="h-16" />
      )}
      {pages.data && users.length === 0 && (
        <p className="text-soft">
          {filter === ALL ? 'No one matches your search.' : 'No one matches these filters.'}
        </p>
      )}
      {/* On phones only the page scrolls. */}
      <div className="lg:-m-1.5 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto lg:border-b lg:border-line lg:p-1.5">
        <ul ref={list} className="border-line not-empty:border-t">
          {users.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              isSelected={user.id === selectedId}
              isTicked={ticked.has(user.id)}
              isOneself={user.id === ownId}
              onTick={tick}
              onDelete={onDelete}
            />
          ))}
        </ul>
        {/* On phones the levels are below the list, so loading more by itself would push them away. */}
        <LoadMore
          {...{ pages, list }}
          failure="Couldn’t load more users."
          loadsByItself={isWide}
          isWide
          className="mt-4"
        />
      </div>
    </section>
  );
}

/** Announced only once the results match the search. */
function Count({ count, isOutdated }: { count: number; isOutdated: boolean }) {
  const said = count === 1 ? '1 user' : `${count.toLocaleString('en')} users`;
  return (
    <>
      <p className="text-sm text-soft">{said}</p>
      <Announce text={isOutdated ? '' : said} />
    </>
  );
}

type UserFilter = { level?: number; only?: OnlyUsers };
const ALL: UserFilter = {};

const ONLY: Record<OnlyUsers, string> = {
  disabled: 'Disabled',
  'never-signed-in': 'Never signed in',
  'mail-waiting': 'Email not delivered',
};

type UserFiltersProps = { filter: UserFilter; onChange: (filter: UserFilter) => void };

function UserFilters({ filter, onChange }: UserFiltersProps) {
  const { data: levels = [] } = useQuery(apiQuery('GET /api/admin/transmission-levels'));
  const change = (part: { level?: number | undefined; only?: OnlyUsers | undefined }) => {
    const { level, only } = { ...filter, ...part };
    const chosen = { ...(level !== undefined && { level }), ...(only && { only }) };
    onChange(level === undefined && !only ? ALL : chosen);
  };
  return (
    <>
      <Select
        label="Show"
        value={filter.only ?? ''}
        onChange={({ target }) => change({ only: (target.value || undefined) as OnlyUsers | undefined })}
      >
        <option value="">Everyone</option>
        {(Object.keys(ONLY) as OnlyUsers[]).map((each) => (
          <option key={each} value={each}>
            {ONLY[each]}
          </option>
        ))}
      </Select>
      <Select
        label="Level"
        value={filter.level ?? ''}
        onChange={({ target }) => change({ level: target.value === '' ? undefined : Number(target.value) })}
      >
        <option value="">All</option>
        {levels.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </>
  );
}
