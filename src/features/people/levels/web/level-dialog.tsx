import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useFormDraft } from '#web/drafts/use-form-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { ManagedLevel } from '../contract.ts';
import { MAX_LEVEL_DESCRIPTION_LENGTH, MAX_LEVEL_NAME_LENGTH } from '../limits.ts';
import {
  reportLevelFailure,
  type LevelOutcome,
  PATHS_WITH_LEVEL_NAMES,
  reportLevelSuccess,
} from './level-outcome.ts';
import type { FormDraftOptions } from '#web/drafts/form-draft.ts';

type DialogCallbacks = { onClose: () => void; onOutcome: (outcome: LevelOutcome) => void };
type LevelDialogProps = DialogCallbacks & { edited: ManagedLevel | 'new' | null };

/** Dialog to add or edit a level. */
export function LevelDialog({ edited, onClose, onOutcome }: LevelDialogProps) {
  return (
    <Dialog
      isOpen={edited !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={edited === 'new' || edited === null ? 'Add Level' : 'Edit Level'}
    >
      {edited && (
        <LevelForm level={edited === 'new' ? null : edited} onClose={onClose} onOutcome={onOutcome} />
      )}
    </Dialog>
  );
}

function LevelForm({ level, onClose, onOutcome }: DialogCallbacks & { level: ManagedLevel | null }) {
  const draft = useFormDraft(createLevelDraft(level));
  const typed = draft.value;
  const [hadDraft] = useState(() => isChanged(typed, level));
  const failure = level ? 'Failed to update level' : 'Failed to add level';
  const save = useMutation({
    mutationFn: (body: LevelFormValues) =>
      level
        ? callApi('PUT /api/admin/transmission-levels/{id}', { params: { id: level.id }, body })
        : callApi('POST /api/admin/transmission-levels', { body }),
    meta: { refreshes: PATHS_WITH_LEVEL_NAMES },
    onSuccess: ({ name }) => {
      draft.forget();
      onOutcome(reportLevelSuccess(level ? 'Level updated' : 'Level added', name));
      onClose();
    },
    onError: (error) => onOutcome(reportLevelFailure(failure, error)),
  });
  const change = (part: Partial<LevelFormValues>) => draft.change({ ...typed, ...part });
  /** Discards the draft. Closing with the cross or Esc keeps it on the device. */
  const cancel = () => {
    draft.forget();
    onClose();
  };
  const { props, problems } = useForm<LevelFormValues>({
    values: { ...typed, name: typed.name.trim(), description: typed.description.trim() },
    schema: async () => (await import('../contract.ts')).levelsApi.add.body,
    onValid: (body) => save.mutate(body),
    onInvalid: save.reset,
  });
  return (
    <form {...props} className="grid gap-5">
      {hadDraft && isChanged(typed, level) && (
        <Notice title="Your unsaved changes are back.">They weren’t saved. Cancel discards them.</Notice>
      )}
      <TextField
        label="Name"
        name="name"
        value={typed.name}
        onChange={({ target }) => change({ name: target.value })}
        limit={MAX_LEVEL_NAME_LENGTH}
        autoComplete="off"
        aria-required
        error={problems.name}
      />
      <TextArea
        label="Description"
        name="description"
        isOptional
        rows={3}
        value={typed.description}
        onChange={({ target }) => change({ description: target.value })}
        limit={MAX_LEVEL_DESCRIPTION_LENGTH}
      />
      <Checkbox
        label="Never available offline"
        hint="Its melodies can only be heard online. A copy saved on a device is removed the next time that device is online."
        checked={typed.neverKept}
        onChange={({ target }) => change({ neverKept: target.checked })}
      />
      {save.isError && (
        <Notice tone="danger" title={failure}>
          {getErrorMessage(save.error, 'Please try again.')}
        </Notice>
      )}
      <div className="flex flex-col gap-3 sm:flex-row sm:justify-end">
        <Button onClick={cancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={save.isPending}>
          {level ? 'Save' : 'Add Level'}
        </Button>
      </div>
    </form>
  );
}

type LevelFormValues = { name: string; description: string; neverKept: boolean };

/** Returns the form's initial values; null stands for a new level. */
const toFormValues = (level: ManagedLevel | null): LevelFormValues => ({
  name: level?.name ?? '',
  description: level?.description ?? '',
  neverKept: level?.neverKept ?? false,
});

const isChanged = (typed: LevelFormValues, level: ManagedLevel | null) =>
  Object.keys(getChanges(typed, level)).length > 0;

/** Creates a draft that applies earlier unsaved changes on top of the level's current values. */
const createLevelDraft = (level: ManagedLevel | null): FormDraftOptions<LevelFormValues> => ({
  name: level === null ? 'new level' : `level ${level.id}`,
  restore: (kept) => ({ ...toFormValues(level), ...kept }),
  // Stores only the changed fields, so that the draft doesn't overwrite fields that somebody else changes.
  toStored: (typed) => (isChanged(typed, level) ? getChanges(typed, level) : null),
});

function getChanges(typed: LevelFormValues, level: ManagedLevel | null): Partial<LevelFormValues> {
  const { name, description, neverKept } = toFormValues(level);
  return {
    ...(typed.name === name ? {} : { name: typed.name }),
    ...(typed.description === description ? {} : { description: typed.description }),
    ...(typed.neverKept === neverKept ? {} : { neverKept: typed.neverKept }),
  };
}
