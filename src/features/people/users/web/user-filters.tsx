import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query-client.ts';
import { Select } from '#web/ui/select.tsx';
import type { OnlyUsers } from '../contract.ts';

export type UserFilter = { level?: number; only?: OnlyUsers };
export const ALL: UserFilter = {};

const ONLY: Record<OnlyUsers, string> = {
  disabled: 'Disabled',
  'never-signed-in': 'Never signed in',
  'mail-waiting': 'Mail has not arrived',
};

type UserFiltersProps = { filter: UserFilter; onChange: (filter: UserFilter) => void };

/** Which users are listed. */
export function UserFilters({ filter, onChange }: UserFiltersProps) {
  const { data: levels = [] } = useQuery(apiQuery('GET /api/admin/transmission-levels'));
  const change = (part: { level?: number | undefined; only?: OnlyUsers | undefined }) => {
    const { level, only } = { ...filter, ...part };
    const chosen = { ...(level !== undefined && { level }), ...(only && { only }) };
    onChange(level === undefined && !only ? ALL : chosen);
  };
  return (
    <div className="mt-3 grid gap-x-4 gap-y-3 sm:grid-cols-2">
      <Select
        label="Show"
        value={filter.only ?? ''}
        onChange={({ target }) => change({ only: (target.value || undefined) as OnlyUsers | undefined })}
      >
        <option value="">Everybody</option>
        {(Object.keys(ONLY) as OnlyUsers[]).map((each) => (
          <option key={each} value={each}>
            {ONLY[each]}
          </option>
        ))}
      </Select>
      <Select
        label="With the level"
        value={filter.level ?? ''}
        onChange={({ target }) => change({ level: target.value === '' ? undefined : Number(target.value) })}
      >
        <option value="">Any</option>
        {levels.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </div>
  );
}
