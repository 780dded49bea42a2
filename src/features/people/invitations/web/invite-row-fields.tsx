import { Trash2 } from 'lucide-react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { Level } from '#features/people/levels/contract.ts';
import { LevelCheckboxes } from '#features/people/levels/web/level-checkboxes.tsx';
import { MAX_NAME_LENGTH } from '#features/accounts/limits.ts';
import { MISSING_USER_FIELD_MESSAGES } from '#features/people/users/limits.ts';
import type { InviteRow, InviteRowDraft } from './invite-rows.ts';

type InviteRowFieldsProps = {
  row: InviteRow;
  number: number;
  levels: readonly Level[];
  /** Whether to show errors at the empty fields. */
  showsErrors: boolean;
  onEdit: (typed: Partial<InviteRowDraft>) => void;
  /** Null for the only row, which can't be removed. */
  onRemove: (() => void) | null;
};

export function InviteRowFields(props: InviteRowFieldsProps) {
  const { row, number, levels, showsErrors, onEdit, onRemove } = props;
  const field = (name: 'email' | 'firstName' | 'lastName') => ({
    value: row[name],
    onChange: ({ target }: { target: HTMLInputElement }) => onEdit({ [name]: target.value }),
    autoComplete: 'off',
    'aria-required': true,
    error: showsErrors && row[name].trim() === '' ? MISSING_USER_FIELD_MESSAGES[name] : null,
  });
  return (
    <div
      role="group"
      aria-labelledby={`invite-${row.key}`}
      className="rounded-md border border-line p-4 sm:p-5"
    >
      <div className="mb-2 flex min-h-12 items-center justify-between gap-3">
        <h3 id={`invite-${row.key}`} tabIndex={-1} data-item={row.key} className="scroll-mt-24 text-lg">
          Invite {number}
        </h3>
        {onRemove && <IconButton label={`Remove invite ${number}`} icon={<Trash2 />} onClick={onRemove} />}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2">
        <TextField
          label="Email"
          type="email"
          autoCapitalize="none"
          maxLength={254}
          className="sm:col-span-2"
          {...field('email')}
        />
        <TextField label="First name" limit={MAX_NAME_LENGTH} {...field('firstName')} />
        <TextField label="Last name" limit={MAX_NAME_LENGTH} {...field('lastName')} />
        <div className="sm:col-span-2">
          <LevelCheckboxes
            levels={levels}
            selected={row.transmissionLevels}
            onChange={(transmissionLevels) => onEdit({ transmissionLevels })}
            error={
              showsErrors && row.transmissionLevels.length === 0
                ? MISSING_USER_FIELD_MESSAGES.transmissionLevels
                : undefined
            }
            isCompact
          />
        </div>
      </div>
      {row.failure && (
        <Notice tone="danger" title="This invite wasn’t sent" className="mt-4">
          {row.failure}
        </Notice>
      )}
    </div>
  );
}
