import { useCallback, useRef, useState } from 'react';
import {
  findInPages,
  getLoadedRows,
  getTotalCount,
  useSearchedPagedList,
} from '#web/navigation/paged-list.ts';
import { formatDisplayName, useUser } from '#web/api/session.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { TextField } from '#web/ui/field.tsx';
import { useFocusAfterRemoval } from '#web/ui/use-focus-after-removal.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { LoadMoreButton } from '#web/ui/load-more-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import { useDebouncedText } from '#web/ui/use-debounced-text.ts';
import type { ListedUser, UserStatusFilter } from '../contract.ts';
import type { UserDeletionResult } from './delete-user-dialog.tsx';
import { USERS_PATH } from './listed-users.ts';
import { BulkUserActions } from './bulk-user-actions.tsx';
import { useIsWideScreen, UserRow } from './user-row.tsx';
import { useQuery } from '@tanstack/react-query';
import { createApiQuery } from '#web/api/query-client.ts';
import { Select } from '#web/ui/select.tsx';

const MAX_SEARCH_LENGTH = 200;

type UserListProps = {
  selectedId: string | null;
  /** Result of the last deletion; null before the first one. */
  deletion: UserDeletionResult | null;
  /** Must be stable across renders, or every row renders again. */
  onDelete: (user: ListedUser) => void;
};

export function UserList({ selectedId, deletion, onDelete }: UserListProps) {
  const ownId = useUser().id;
  const isWide = useIsWideScreen();
  const section = useRef<HTMLElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [typed, setTyped] = useState('');
  const [filter, setFilter] = useState<UserFilter>(NO_FILTER);
  const [ticked, setTicked] = useState<ReadonlyMap<string, string>>(new Map());
  const words = useDebouncedText(typed.trim());
  const pages = useSearchedPagedList('GET /api/admin/users', {
    query: { ...(words !== '' && { q: words }), ...filter },
  });
  const users = getLoadedRows(pages.data);
  const tick = useCallback((id: string, isTicked: boolean) => {
    setTicked((before) => {
      const after = new Map(before);
      const user = findInPages<ListedUser>(USERS_PATH, id);
      if (isTicked && user) after.set(id, formatDisplayName(user));
      else after.delete(id);
      return after;
    });
  }, []);
  const others = users.filter(({ id }) => id !== ownId);
  useFocusAfterRemoval(
    section,
    users.map(({ id }) => id),
  );
  return (
    <section ref={section} aria-label="Users" className="@container">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-4 gap-y-3 @xs:grid-cols-2 @xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <TextField
          label="Search users"
          type="search"
          name="search"
          placeholder="Name, username or email"
          autoComplete="off"
          maxLength={MAX_SEARCH_LENGTH}
          data-when-empty=""
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="@max-xl:col-span-full"
        />
        <UserFilters filter={filter} onChange={setFilter} />
      </div>
      <div className="my-1.5 flex flex-wrap items-center gap-x-6">
        {pages.data && <UserCount count={getTotalCount(pages.data)} isOutdated={pages.isPlaceholderData} />}
        <BulkUserActions
          ticked={ticked}
          shown={others}
          onTick={(all) => setTicked(new Map(all.map((user) => [user.id, formatDisplayName(user)])))}
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
          {filter === NO_FILTER ? 'No one matches your search.' : 'No one matches these filters.'}
        </p>
      )}
      {/* On wide screens, the list has its own scroll area. On phones, the whole page scrolls. */}
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
        {/* Doesn't load by itself on phones, because that would push away the levels below the list. */}
        <LoadMoreButton
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

/** Shows the number of users. It is announced only once the results match the search. */
function UserCount({ count, isOutdated }: { count: number; isOutdated: boolean }) {
  const text = count === 1 ? '1 user' : `${count.toLocaleString('en')} users`;
  return (
    <>
      <p className="text-sm text-soft">{text}</p>
      <ScreenReaderAnnouncement text={isOutdated ? '' : text} />
    </>
  );
}

type UserFilter = { level?: number; only?: UserStatusFilter };
const NO_FILTER: UserFilter = {};

const FILTER_LABELS: Record<UserStatusFilter, string> = {
  disabled: 'Disabled',
  'never-signed-in': 'Never signed in',
  'mail-waiting': 'Email not delivered',
};

type UserFiltersProps = { filter: UserFilter; onChange: (filter: UserFilter) => void };

function UserFilters({ filter, onChange }: UserFiltersProps) {
  const { data: levels = [] } = useQuery(createApiQuery('GET /api/admin/transmission-levels'));
  const change = (part: { level?: number | undefined; only?: UserStatusFilter | undefined }) => {
    const { level, only } = { ...filter, ...part };
    const chosen = { ...(level !== undefined && { level }), ...(only && { only }) };
    onChange(level === undefined && !only ? NO_FILTER : chosen);
  };
  return (
    <>
      <Select
        label="Show"
        value={filter.only ?? ''}
        onChange={({ target }) =>
          change({ only: (target.value || undefined) as UserStatusFilter | undefined })
        }
      >
        <option value="">Everyone</option>
        {(Object.keys(FILTER_LABELS) as UserStatusFilter[]).map((each) => (
          <option key={each} value={each}>
            {FILTER_LABELS[each]}
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
