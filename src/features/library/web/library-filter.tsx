import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Level } from '#features/people/levels/contract.ts';
import { useUser } from '#web/api/session.ts';

/** The user's own lists within the library. */
export const OWN_LISTS = ['favourites', 'recent'] as const;
export type OwnList = (typeof OWN_LISTS)[number];

const NAMES: Record<OwnList, string> = { favourites: 'Favourites', recent: 'Recent' };

type LibraryFilterProps = {
  levels: readonly Level[];
  level: number | null;
  onLevel: (id: number | null) => void;
  own: OwnList | null;
  onOwn: (own: OwnList) => void;
};

/**
 * Filters by level and list. On phones, in portrait and landscape, the filters are a single row that fades at
 * the edge to show that it scrolls.
 */
export function LibraryFilter({ levels, level, onLevel, own, onOwn }: LibraryFilterProps) {
  const isStudent = useUser().role !== 'admin';
  const choices = [{ id: null, name: 'All Melodies' }, ...levels];
  return (
    <div
      className={clsx(
        'flex flex-wrap gap-2.5 strip:flex-nowrap strip:overflow-x-auto strip:[mask-image:linear-gradient(to_right,black_calc(100%-2.5rem),transparent)] strip:py-1 strip:ps-4 strip:pe-10',
        // Leaves space beside the filters for a teacher's download button.
        isStudent ? 'strip:-mx-4' : 'strip:-ms-4 strip:min-w-0 strip:flex-1',
      )}
    >
      {isStudent && (
        <div role="group" aria-label="Your melodies" className={buttons}>
          {OWN_LISTS.map((each) => (
            <FilterButton key={each} isOn={own === each} onPress={() => onOwn(each)}>
              {NAMES[each]}
            </FilterButton>
          ))}
        </div>
      )}
      <div role="group" aria-label="Filter by transmission level" className={buttons}>
        {choices.map(({ id, name }) => (
          <FilterButton key={id ?? 'all'} isOn={own === null && id === level} onPress={() => onLevel(id)}>
            {name}
          </FilterButton>
        ))}
      </div>
    </div>
  );
}

/** Switch between cards and table, for the teacher. */
export const LibraryViewSwitch = ({
  isTable,
  onView,
}: {
  isTable: boolean;
  onView: (view: string) => void;
}) => (
  <div role="group" aria-label="View" className="flex flex-wrap gap-2">
    <FilterButton isOn={!isTable} onPress={() => onView('')}>
      Cards
    </FilterButton>
    <FilterButton isOn={isTable} onPress={() => onView('table')}>
      Table
    </FilterButton>
  </div>
);

const buttons = 'flex flex-wrap gap-2.5 strip:shrink-0 strip:flex-nowrap';

type FilterButtonProps = { isOn: boolean; onPress: () => void; children: ReactNode };

const FilterButton = ({ isOn, onPress, children }: FilterButtonProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    onClick={onPress}
    className={clsx(
      'flex min-h-11 items-center gap-2 rounded-full border px-4 py-1.5 text-start text-sm leading-tight font-semibold max-sm:px-3 strip:shrink-0',
      isOn ? 'border-action bg-action-ground text-action' : 'border-edge bg-surface hover:bg-sunk',
    )}
  >
    {isOn && <Check className="size-4 shrink-0" />}
    <bdi>{children}</bdi>
  </button>
);
