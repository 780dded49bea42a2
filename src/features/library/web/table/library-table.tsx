import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createApiQuery } from '#web/api/query-client.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { FilterButton } from '#web/ui/filter-button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Select } from '#web/ui/select.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import type { ListedMelody } from '#features/melodies/contract.ts';
import { LazyRemovedCardNotice } from '../library-outcome.ts';
import type { LibraryOutcome } from '../outcome-notices.tsx';
import type { LibraryAction } from '../library-action-dialog.tsx';
import { useIncrementalCount } from '../incremental-rendering.ts';
import { BulkMelodyActions } from './bulk-melody-actions.tsx';
import { MelodyRow } from './melody-row.tsx';
import {
  type SortColumn,
  hasMelodyPart,
  filterByMissingParts,
  getNextTableSort,
  type MelodyPart,
  MELODY_PARTS,
  MELODY_PART_NAMES,
  type TableSort,
  sortTableRows,
  parseTableSort,
  SORT_COLUMNS,
  formatTableSort,
  buildTableRows,
} from './table-rows.ts';

type LibraryTableProps = {
  /** The search results, newest first. */
  melodies: readonly ListedMelody[];
  /** Key of the list. When it changes, rendering starts over from the first rows. */
  listed: string;
  library: readonly ListedMelody[];
  levels: readonly Level[];
  outcome: LibraryOutcome | null;
  onAction: (to: LibraryAction['kind'], melody: ListedMelody) => void;
};

/** Number of rows rendered at first. No screen shows more. */
const FIRST_ROWS = 48;

/**
 * Table of the library for the teacher. Shows which parts each melody has or lacks, and supports bulk changes.
 */
export default function LibraryTable(props: LibraryTableProps) {
  const { melodies, listed, library, levels, outcome, onAction } = props;
  // Refetched whenever the table is opened, so that new recordings are counted.
  const use = useQuery({ ...createApiQuery('GET /api/melodies/use'), staleTime: 0 });
  const { sort, setSort, without, setWithout } = useTableUrlState();
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set());
  const found = useMemo(() => buildTableRows(melodies, use.data), [melodies, use.data]);
  const rows = useMemo(
    () => sortTableRows(filterByMissingParts(found, without), sort, levels),
    [found, without, sort, levels],
  );
  const chosen = useMemo(
    () => buildTableRows(library, use.data).filter(({ melody }) => ticked.has(melody.id)),
    [library, use.data, ticked],
  );
  const count = useIncrementalCount(
    useMemo(() => rows.map(({ melody }) => melody), [rows]),
    FIRST_ROWS,
    `${listed} ${formatTableSort(sort)} ${without.join()}`,
  );
  const tick = useCallback(
    (id: number, isTicked: boolean) =>
      setTicked((before) => {
        const after = new Set(before);
        if (isTicked) after.add(id);
        else after.delete(id);
        return after;
      }),
    [],
  );
  const edit = useCallback((melody: ListedMelody) => onAction('edit', melody), [onAction]);
  const showMarks = useCallback((melody: ListedMelody) => onAction('marks', melody), [onAction]);
  const updated = outcome?.kind === 'updated' ? outcome : null;
  const isUpdatedHere = rows.some(({ melody }) => melody.id === updated?.melody.id);
  return (
    <>
      <div role="group" aria-label="Missing" className="mb-3 flex flex-wrap gap-2">
        {MELODY_PARTS.map((part) => {
          const lacks = found.filter((row) => hasMelodyPart(row, part) === false).length;
          const isOn = without.includes(part);
          return (
            (lacks > 0 || isOn) && (
              <FilterButton key={part} isOn={isOn} onPress={() => setWithout(part, !isOn)}>
                {lacks.toLocaleString('en')} without {MELODY_PART_NAMES[part]}
              </FilterButton>
            )
          );
        })}
      </div>
      {without.length > 0 && (
        <ScreenReaderAnnouncement
          text={`${rows.length === 1 ? '1 melody' : `${rows.length} melodies`} listed`}
        />
      )}
      {use.isError && !use.data && (
        <LoadFailure sentence="Couldn’t load line timings and recording counts." of={use} />
      )}
      <SortChoice sort={sort} onSort={setSort} />
      <BulkMelodyActions
        ticked={chosen}
        shown={rows}
        levels={levels}
        onTick={(ids) => setTicked(new Set(ids))}
      />
      {outcome && !isUpdatedHere && (
        <LazyBoundary part={LazyRemovedCardNotice} outcome={outcome} className="mb-4 max-w-2xl" />
      )}
      {rows.length === 0 ? (
        <p className="py-6 text-soft">
          No melody is missing {without.map((part) => MELODY_PART_NAMES[part]).join(' and ')}.
        </p>
      ) : (
        <table
          role="table"
          aria-label="Melodies"
          className="w-full border-separate border-spacing-0 border-line bg-surface max-xl:block max-xl:border-t xl:rounded-lg xl:border"
        >
          <thead role="rowgroup" className="max-xl:hidden">
            <tr role="row" className="text-sm">
              <Heading className="w-11">
                <span className="sr-only">Select</span>
              </Heading>
              {SORT_COLUMNS.map((column) => (
                <SortHeading key={column} column={column} sort={sort} onSort={setSort} />
              ))}
              <Heading className="w-12">
                <span className="sr-only">Edit</span>
              </Heading>
            </tr>
          </thead>
          <tbody role="rowgroup" className="max-xl:block">
            {rows.slice(0, count).map((row) => (
              <MelodyRow
                key={row.melody.id}
                row={row}
                isTicked={ticked.has(row.melody.id)}
                outcome={updated?.melody.id === row.melody.id ? updated : null}
                onTick={tick}
                onEdit={edit}
                onMarks={showMarks}
              />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

const NAMES: Record<SortColumn, string> = {
  title: 'Title',
  level: 'Level',
  length: 'Length',
  audio: 'Audio',
  text: 'Words',
  timing: 'Timing',
  picture: 'Picture',
  recordings: 'Recordings',
};

const Heading = ({ className, ...props }: React.ComponentProps<'th'>) => (
  <th
    role="columnheader"
    scope="col"
    className={clsx('sticky top-0 z-10 bg-sunk p-0 first:rounded-ss-lg last:rounded-se-lg', className)}
    {...props}
  />
);

type SortChoiceProps = { sort: TableSort | null; onSort: (sort: TableSort | null) => void };

function SortHeading({ column, sort, onSort }: SortChoiceProps & { column: SortColumn }) {
  const isSorted = sort?.by === column;
  const Arrow = sort?.isDescending ? ArrowDown : ArrowUp;
  return (
    <Heading aria-sort={!isSorted ? 'none' : sort.isDescending ? 'descending' : 'ascending'}>
      <button
        type="button"
        onClick={() => onSort(getNextTableSort(sort, column))}
        className="flex min-h-12 w-full items-center gap-1 px-2 text-start font-semibold hover:bg-ground"
      >
        <span className="underline decoration-dotted underline-offset-4">{NAMES[column]}</span>
        {isSorted && <Arrow className="size-4 shrink-0" />}
      </button>
    </Heading>
  );
}

/** Replaces the column headings on narrow screens. */
const SortChoice = ({ sort, onSort }: SortChoiceProps) => (
  <div className="mb-2 flex items-end gap-2 xl:hidden">
    <Select
      label="Sort by"
      value={sort?.by ?? ''}
      onChange={({ target }) => onSort(parseTableSort(target.value))}
      className="min-w-0 grow"
    >
      <option value="">Newest first</option>
      {SORT_COLUMNS.map((column) => (
        <option key={column} value={column}>
          {NAMES[column]}
        </option>
      ))}
    </Select>
    <IconButton
      label="Reverse order"
      variant="secondary"
      icon={<ArrowUpDown />}
      isInactive={sort === null}
      aria-pressed={sort?.isDescending ?? false}
      onClick={() => sort && onSort({ ...sort, isDescending: !sort.isDescending })}
    />
  </div>
);

/** Stores sorting and filters in the URL, so that going back restores them. */
function useTableUrlState() {
  const [params, setParams] = useSearchParams();
  const [sortedBy, lacks] = [params.get('sort'), params.get('without')];
  const sort = useMemo(() => parseTableSort(sortedBy), [sortedBy]);
  const without = useMemo(() => MELODY_PARTS.filter((part) => lacks?.split(',').includes(part)), [lacks]);
  const write = (name: string, value: string) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        if (value === '') after.delete(name);
        else after.set(name, value);
        return after;
      },
      { replace: true },
    );
  return {
    sort,
    setSort: (to: TableSort | null) => write('sort', formatTableSort(to)),
    without,
    setWithout: (part: MelodyPart, isOn: boolean) =>
      write('without', MELODY_PARTS.filter((each) => (each === part ? isOn : without.includes(each))).join()),
  };
}
