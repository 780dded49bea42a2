import { useState } from 'react';
import { Select } from '#web/ui/select.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { areComplete, type Column, type Columns, columnsOf, withField } from './columns.ts';
import type { Table } from '#web/tables/table.ts';

const NAMES: Record<Column, string> = {
  email: 'Email',
  firstName: 'First name',
  lastName: 'Last name',
  fullName: 'Full name',
  levels: 'Levels',
};

/** Maximum number of columns shown. A list of people has fewer; the rest are ignored. */
const SHOWN = 12;

/** Lets the teacher choose what each column contains. */
export function ColumnsForm({ table, onChange }: { table: Table; onChange: (columns: Columns) => void }) {
  const [columns, setColumns] = useState(() => columnsOf(table));
  const choose = (at: number, field: Column | null) => {
    const chosen = withField(columns, at, field);
    setColumns(chosen);
    onChange(chosen);
  };
  return (
    <div className="mt-4 border-t border-line pt-4">
      {!areComplete(columns) && (
        <Notice tone="amber" isQuiet className="mb-4">
          Please choose the columns with the email and the name.
        </Notice>
      )}
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {columns.fields.slice(0, SHOWN).map((field, at) => (
          <Select
            // A column has no identity other than its position.
            key={at}
            label={headingOf(table, columns, at)}
            hint={sampleOf(table, columns, at)}
            value={field ?? ''}
            onChange={(event) => choose(at, (event.target.value || null) as Column | null)}
          >
            <option value="">Ignore</option>
            {(Object.keys(NAMES) as Column[]).map((each) => (
              <option key={each} value={each}>
                {NAMES[each]}
              </option>
            ))}
          </Select>
        ))}
      </div>
    </div>
  );
}

function headingOf(table: Table, { headings }: Columns, at: number) {
  const heading = headings === null ? '' : (table[headings]?.[at] ?? '').trim();
  return heading === '' ? `Column ${at + 1}` : heading.slice(0, 40);
}

/** Returns the first two cells that aren't empty. */
const sampleOf = (table: Table, { headings }: Columns, at: number) =>
  table
    .slice((headings ?? -1) + 1)
    .map((row) => (row[at] ?? '').trim())
    .filter((cell) => cell !== '')
    .slice(0, 2)
    .map((cell) => (cell.length > 30 ? `${cell.slice(0, 30)}…` : cell))
    .join(', ') || 'Empty';

export const columnsFound = (columns: Columns) =>
  columns.fields.flatMap((field) => (field ? [NAMES[field].toLowerCase()] : [])).join(', ');
