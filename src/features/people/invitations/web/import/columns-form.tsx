import { useState } from 'react';
import { Select } from '#web/ui/select.tsx';
import { Notice } from '#web/ui/notice.tsx';
import {
  hasRequiredColumns,
  type PersonColumn,
  type ColumnMapping,
  detectColumns,
  assignColumn,
} from './columns.ts';
import type { Table } from '#web/tables/table.ts';

const COLUMN_NAMES: Record<PersonColumn, string> = {
  email: 'Email',
  firstName: 'First name',
  lastName: 'Last name',
  fullName: 'Full name',
  levels: 'Levels',
};

/**
 * Maximum number of columns shown. A list of people needs fewer, so the form leaves out any further columns.
 */
const MAX_SHOWN_COLUMNS = 12;

/** Lets the teacher choose what each column contains. */
export function ColumnsForm({
  table,
  onChange,
}: {
  table: Table;
  onChange: (columns: ColumnMapping) => void;
}) {
  const [columns, setColumns] = useState(() => detectColumns(table));
  const choose = (at: number, field: PersonColumn | null) => {
    const chosen = assignColumn(columns, at, field);
    setColumns(chosen);
    onChange(chosen);
  };
  return (
    <div className="mt-4 border-t border-line pt-4">
      {!hasRequiredColumns(columns) && (
        <Notice tone="amber" isQuiet className="mb-4">
          Please choose the columns with the email and the name.
        </Notice>
      )}
      <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {columns.fields.slice(0, MAX_SHOWN_COLUMNS).map((field, at) => (
          <Select
            // A column has no identity other than its position.
            key={at}
            label={getHeading(table, columns, at)}
            hint={getSample(table, columns, at)}
            value={field ?? ''}
            onChange={(event) => choose(at, (event.target.value || null) as PersonColumn | null)}
          >
            <option value="">Ignore</option>
            {(Object.keys(COLUMN_NAMES) as PersonColumn[]).map((each) => (
              <option key={each} value={each}>
                {COLUMN_NAMES[each]}
              </option>
            ))}
          </Select>
        ))}
      </div>
    </div>
  );
}

function getHeading(table: Table, { headings }: ColumnMapping, at: number) {
  const heading = headings === null ? '' : (table[headings]?.[at] ?? '').trim();
  return heading === '' ? `Column ${at + 1}` : heading.slice(0, 40);
}

/** Returns a sample of the column: its first two non-empty cells, shortened, or 'Empty'. */
const getSample = (table: Table, { headings }: ColumnMapping, at: number) =>
  table
    .slice((headings ?? -1) + 1)
    .map((row) => (row[at] ?? '').trim())
    .filter((cell) => cell !== '')
    .slice(0, 2)
    .map((cell) => (cell.length > 30 ? `${cell.slice(0, 30)}…` : cell))
    .join(', ') || 'Empty';

export const describeFoundColumns = (columns: ColumnMapping) =>
  columns.fields.flatMap((field) => (field ? [COLUMN_NAMES[field].toLowerCase()] : [])).join(', ');
