import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import type { PeopleImportRow } from './import-draft.ts';
import { PersonRow } from './person-row.tsx';
import type { PeopleTableRow } from './use-people-import.ts';

/** Maximum rows rendered at once. A thousand rows with their controls would make each keystroke slow. */
const ROWS_PER_PAGE = 50;

const COLUMNS = [
  ['Row', 'w-16'],
  ['Name', 'w-[22%]'],
  ['Email', 'w-[26%]'],
  ['Levels', 'w-[19%]'],
] as const;

type PeopleTableProps = {
  rows: readonly PeopleTableRow[];
  levels: readonly Level[];
  /** Whether the import has started. From then on, rows can't be edited. */
  isSending: boolean;
  onChange: (clientId: string, part: Partial<PeopleImportRow>) => void;
};

/**
 * Table with one row per person. The ARIA roles are explicit, because the rows would lose their implicit
 * roles on narrow screens, where they are displayed as blocks.
 */
export function PeopleTable({ rows, levels, isSending, onChange }: PeopleTableProps) {
  const [chosenPage, setPage] = useState(0);
  const last = Math.max(0, Math.ceil(rows.length / ROWS_PER_PAGE) - 1);
  const page = Math.min(chosenPage, last);
  const shown = rows.slice(page * ROWS_PER_PAGE, (page + 1) * ROWS_PER_PAGE);
  const head = 'px-3 py-1.5 text-start text-sm font-semibold';
  return (
    <>
      <div className="@container rounded-md border border-line bg-surface text-sm">
        <table role="table" aria-label="People" className="w-full table-fixed @max-4xl:block">
          <thead role="rowgroup" className="bg-sunk @max-4xl:sr-only">
            <tr role="row">
              {!isSending && (
                <th role="columnheader" className={`${head} w-12`}>
                  <span className="sr-only">Invite</span>
                </th>
              )}
              {COLUMNS.map(([each, width]) => (
                <th key={each} role="columnheader" className={`${head} ${width}`}>
                  {each}
                </th>
              ))}
              <th role="columnheader" className={head}>
                {isSending ? 'Result' : 'What will happen'}
              </th>
            </tr>
          </thead>
          <tbody role="rowgroup" className="divide-y divide-line @max-4xl:block">
            {shown.map((each) => (
              <PersonRow
                key={each.row.clientId}
                shown={each}
                levels={levels}
                isSending={isSending}
                onChange={(part) => onChange(each.row.clientId, part)}
              />
            ))}
          </tbody>
        </table>
        {rows.length === 0 && <p className="px-4 py-6 text-center text-soft">No one to show.</p>}
      </div>
      {last > 0 && (
        <nav aria-label="Pages of the table" className="mt-3 flex flex-wrap items-center gap-3 text-sm">
          <Button isInactive={page === 0} onClick={() => setPage(page - 1)}>
            Previous
          </Button>
          <p role="status">
            {page * ROWS_PER_PAGE + 1} to {page * ROWS_PER_PAGE + shown.length} of{' '}
            {rows.length.toLocaleString('en')}
          </p>
          <Button isInactive={page === last} onClick={() => setPage(page + 1)}>
            Next
          </Button>
        </nav>
      )}
    </>
  );
}
