import { clsx } from 'clsx';
import { CircleCheck, CircleDashed, Copy, FileText, Image, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { formatDuration } from '#web/ui/format-duration.ts';
import { inputClass } from '#web/ui/field.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { MAX_MELODY_TITLE_LENGTH } from '#features/melodies/limits.ts';
import type { MelodyImportRow } from './import-draft.ts';
import type { MelodyImportRowStatusKind } from './import-plan.ts';
import type { MelodyImportEntry } from './use-melody-import.ts';

type NumberedRow = MelodyImportEntry & { number: number };

type MelodyImportRowsTableProps = {
  rows: readonly NumberedRow[];
  levels: readonly Level[];
  isAdding: boolean;
  onChange: (key: string, part: Partial<MelodyImportRow>) => void;
};

/** Rows per page. With more rows, typing would be slow on an old computer. */
const PAGE_SIZE = 100;

export function MelodyImportRowsTable({ rows, levels, isAdding, onChange }: MelodyImportRowsTableProps) {
  const [count, setCount] = useState(PAGE_SIZE);
  if (rows.length === 0) return <p className="py-6 text-soft">No melodies match.</p>;
  return (
    <>
      <table
        role="table"
        className="w-full border-separate border-spacing-0 overflow-clip rounded-lg border border-line bg-surface max-lg:block"
      >
        <thead role="rowgroup" className="max-lg:sr-only">
          <tr role="row" className="bg-sunk text-start text-sm">
            {['Add', 'Row', 'Title', 'Length', 'Level', 'Words', 'Picture', 'Status'].map((name) => (
              <th key={name} role="columnheader" scope="col" className="px-3 py-1 text-start font-semibold">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="max-lg:block">
          {rows.slice(0, count).map((each) => (
            <ImportTableRow
              key={each.row.key}
              shown={each}
              levels={levels}
              isFixed={isAdding || each.status.kind === 'added'}
              onChange={(part) => onChange(each.row.key, part)}
            />
          ))}
        </tbody>
      </table>
      {rows.length > count && (
        <Button className="mt-3" onClick={() => setCount(count + PAGE_SIZE)}>
          Show {Math.min(PAGE_SIZE, rows.length - count)} more
        </Button>
      )}
    </>
  );
}

type ImportTableRowProps = {
  shown: NumberedRow;
  levels: readonly Level[];
  isFixed: boolean;
  onChange: (part: Partial<MelodyImportRow>) => void;
};

function ImportTableRow({ shown, levels, isFixed, onChange }: ImportTableRowProps) {
  const { row, source, status, level, number, isChosen } = shown;
  const rowLabel = row.title || `row ${number}`;
  const isDisabled = status.kind === 'wrong' || status.kind === 'away' || isFixed;
  return (
    <tr
      role="row"
      className={clsx(
        'max-lg:grid max-lg:grid-cols-[auto_minmax(0,1fr)_auto] max-lg:gap-x-1 max-lg:border-t max-lg:border-line max-lg:py-2 lg:[&>td]:border-t lg:[&>td]:border-line',
        status.kind === 'wrong' && 'bg-danger-ground',
      )}
    >
      <td role="cell" className="ps-3 max-lg:row-span-4">
        <Checkbox
          label={<span className="sr-only">Add {rowLabel}</span>}
          checked={isChosen}
          disabled={isDisabled}
          onChange={(event) => onChange({ isLeftOut: !event.target.checked })}
        />
      </td>
      <td role="cell" className="px-3 text-soft max-lg:col-start-3 max-lg:row-start-1 max-lg:py-2">
        <span className="sr-only">Row </span>
        {number}
      </td>
      <td role="cell" className="min-w-48 px-1.5 max-lg:col-start-2">
        {isFixed ? (
          <span dir="auto" className="block px-2 font-serif wrap-anywhere">
            {row.title}
          </span>
        ) : (
          <input
            aria-label={`Title in row ${number}`}
            aria-invalid={row.title.trim() === '' || row.title.length > MAX_MELODY_TITLE_LENGTH || undefined}
            dir="auto"
            value={row.title}
            onChange={(event) => onChange({ title: event.target.value })}
            className={clsx(
              inputClass,
              'h-11 border-transparent! bg-transparent! px-2! font-serif hover:border-edge!',
            )}
          />
        )}
      </td>
      <td role="cell" className="px-3 tabular-nums max-lg:hidden">
        {source?.seconds ? formatDuration(source.seconds) : <span className="text-soft">–</span>}
      </td>
      <td role="cell" className="px-1.5 max-lg:col-start-2">
        {isFixed ? (
          <span className="px-2">{levels.find(({ id }) => id === level)?.name}</span>
        ) : (
          <select
            aria-label={`Level of ${rowLabel}`}
            value={level ?? ''}
            onChange={({ target }) => onChange({ levelId: Number(target.value) || null })}
            className={clsx(inputClass, 'h-11 w-full px-2! text-sm! lg:max-w-48')}
          >
            {level === null && <option value="">Choose a level</option>}
            {levels.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </td>
      <td role="cell" className="px-3 text-sm text-soft max-lg:hidden">
        {source?.words ? (
          <span className="flex items-center gap-1.5">
            <FileText className="size-4.5 shrink-0" />
            {source.timings.length > 0 ? 'words, timing' : 'words'}
          </span>
        ) : (
          'none'
        )}
      </td>
      <td role="cell" className="px-3 text-sm text-soft max-lg:hidden">
        {source?.picture ? (
          <span className="flex items-center gap-1.5">
            <Image className="size-4.5 shrink-0" />
            yes
          </span>
        ) : (
          'default'
        )}
      </td>
      <td role="cell" className="px-3 max-lg:col-start-2 max-lg:py-1.5">
        <span className={clsx('flex items-start gap-2 text-sm font-semibold', inks[status.kind])}>
          {icons[status.kind]}
          <span className="min-w-0 wrap-anywhere">{status.text}</span>
        </span>
      </td>
    </tr>
  );
}

const inks: Record<MelodyImportRowStatusKind, string> = {
  matched: 'text-jade-ink',
  added: 'text-jade-ink',
  missing: 'text-saffron-ink',
  away: 'text-saffron-ink',
  doubled: 'text-lapis',
  wrong: 'text-danger',
  failed: 'text-danger',
};
const icon = { 'aria-hidden': true, className: 'mt-0.5 size-5 shrink-0' } as const;
const icons: Record<MelodyImportRowStatusKind, ReactNode> = {
  matched: <CircleCheck {...icon} />,
  added: <CircleCheck {...icon} />,
  missing: <CircleDashed {...icon} />,
  away: <CircleDashed {...icon} />,
  doubled: <Copy {...icon} />,
  wrong: <TriangleAlert {...icon} />,
  failed: <TriangleAlert {...icon} />,
};
