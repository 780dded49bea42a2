import { clsx } from 'clsx';
import { CircleCheck, CircleMinus, Copy, Pencil, TriangleAlert } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { usePageSettings } from '#web/api/page-data.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { inputClass } from '#web/ui/field.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { describePeopleImportRow, type PeopleImportRowTone } from './row-status.ts';
import type { PeopleImportRow } from './import-draft.ts';
import { LevelsButton } from './levels-button.tsx';
import type { PersonField, PersonProblems } from './import-plan.ts';
import { joinLevelNames } from './import-result-csv.ts';
import { isPeopleImportRowSendable, type PeopleTableRow } from './use-people-import.ts';

type PersonRowProps = {
  shown: PeopleTableRow;
  levels: readonly Level[];
  isSending: boolean;
  onChange: (part: Partial<PeopleImportRow>) => void;
};

export function PersonRow({ shown, levels, isSending, onChange }: PersonRowProps) {
  const { row, plan } = shown;
  const [isEdited, setIsEdited] = useState(false);
  const problems = plan.kind === 'wrong' ? plan.problems : {};
  const hasErrors = Object.keys(problems).some((each) => each !== 'levels');
  // A row that had errors stays editable, so that a corrected cell keeps the focus while the teacher types.
  if (hasErrors && !isEdited) setIsEdited(true);
  const { sendsMail } = usePageSettings();
  const { tone, text } = describePeopleImportRow(shown, levels, sendsMail);
  const name = [row.firstName, row.lastName].filter(Boolean).join(' ');
  const personLabel = name || row.email || `row ${row.row}`;
  const isOpen = isEdited && !isSending;
  return (
    <tr
      role="row"
      className={clsx(
        '@max-4xl:grid @max-4xl:grid-cols-[auto_minmax(0,1fr)_auto] @max-4xl:gap-x-1 @max-4xl:py-1.5 @xl:@max-4xl:grid-cols-[auto_minmax(0,1fr)_minmax(0,1fr)_auto]',
        tone === 'wrong' && 'bg-danger-ground',
      )}
    >
      {!isSending && (
        <td role="cell" className="ps-3 @max-4xl:row-span-4 @xl:@max-4xl:row-span-2">
          <Checkbox
            label={<span className="sr-only">Invite {personLabel}</span>}
            checked={shown.isSent}
            disabled={!isPeopleImportRowSendable(row, plan)}
            onChange={(event) => onChange({ isLeftOut: !event.target.checked })}
          />
        </td>
      )}
      <td
        role="cell"
        className="px-3 text-soft @max-4xl:col-start-3 @max-4xl:row-start-1 @max-4xl:py-2 @xl:@max-4xl:col-start-4"
      >
        <span className="@4xl:sr-only">Row </span>
        {row.row}
      </td>
      <td role="cell" className="px-3 @max-4xl:col-start-2">
        {isOpen ? (
          <span className="flex gap-1.5 py-1">
            <EditableCell field="firstName" name="First name" {...{ row, problems, onChange }} />
            <EditableCell field="lastName" name="Last name" {...{ row, problems, onChange }} />
          </span>
        ) : (
          <span className="flex min-h-11 items-center gap-1">
            <bdi className="min-w-0 font-semibold break-words">{name}</bdi>
            {!isSending && (
              <IconButton
                label={`Edit ${personLabel}`}
                icon={<Pencil className="size-4!" />}
                onClick={() => setIsEdited(true)}
                className="min-h-11! min-w-11! text-soft"
              />
            )}
          </span>
        )}
      </td>
      <td role="cell" className="px-3 @max-4xl:col-start-2">
        {isOpen ? (
          <span className="block py-1">
            <EditableCell field="email" name="Email" {...{ row, problems, onChange }} />
          </span>
        ) : (
          <span className="wrap-anywhere">{row.email}</span>
        )}
      </td>
      <td
        role="cell"
        className="px-3 @max-4xl:col-start-2 @max-4xl:py-0.5 @xl:@max-4xl:col-start-3 @xl:@max-4xl:row-start-1"
      >
        {isSending ? (
          joinLevelNames(shown.levels, levels)
        ) : (
          <LevelsButton
            ownerName={personLabel}
            levels={levels}
            selected={shown.levels}
            onChange={(chosen) => onChange({ levels: chosen })}
            resetLabel={
              row.levelNames ? 'Use the levels from the list' : 'Use the levels chosen for everyone'
            }
            onReset={row.levels === null ? null : () => onChange({ levels: null })}
            className="max-w-full @max-4xl:min-h-11! @4xl:relative @4xl:min-h-9! @4xl:py-1! @4xl:before:absolute @4xl:before:inset-x-0 @4xl:before:-inset-y-1"
          />
        )}
      </td>
      <td
        role="cell"
        className="px-3 py-1.5 @max-4xl:col-start-2 @xl:@max-4xl:col-start-3 @xl:@max-4xl:row-start-2"
      >
        <span className={clsx('flex items-start gap-2 font-semibold', toneColors[tone])}>
          {toneIcons[tone]}
          <span className="min-w-0 break-words">{text}</span>
        </span>
      </td>
    </tr>
  );
}

type EditableCellProps = {
  field: PersonField;
  name: string;
  row: PeopleImportRow;
  problems: PersonProblems;
  onChange: (part: Partial<PeopleImportRow>) => void;
};

/**
 * Editable cell. Saves on blur or Enter instead of on each keystroke, because the server checks every saved
 * value.
 */
function EditableCell({ field, name, row, problems, onChange }: EditableCellProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const id = useId();
  const problem = problems[field];
  const keep = () => {
    if (typed === null) return;
    const value = typed.replaceAll(/\s+/g, ' ').trim();
    setTyped(null);
    if (field === 'lastName') onChange({ lastName: value === '' ? null : value });
    else onChange({ [field]: field === 'email' ? value.toLowerCase() : value });
  };
  return (
    <span className="block min-w-0 grow">
      <input
        type={field === 'email' ? 'email' : 'text'}
        aria-label={`${name} in row ${row.row}`}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? id : undefined}
        autoComplete="off"
        dir="auto"
        value={typed ?? row[field] ?? ''}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={keep}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter') keep();
        }}
        className={clsx(inputClass, 'h-11 px-2.5! text-sm!')}
      />
      {problem && (
        <span id={id} className="sr-only">
          {problem}
        </span>
      )}
    </span>
  );
}

const toneColors: Record<PeopleImportRowTone, string> = {
  new: 'text-jade-ink',
  here: 'text-lapis',
  wrong: 'text-danger',
  left: 'text-soft',
};
const iconProps = { 'aria-hidden': true, className: 'mt-0.5 size-5 shrink-0' } as const;
const toneIcons: Record<PeopleImportRowTone, ReactNode> = {
  new: <CircleCheck {...iconProps} />,
  here: <Copy {...iconProps} />,
  wrong: <TriangleAlert {...iconProps} />,
  left: <CircleMinus {...iconProps} />,
};
