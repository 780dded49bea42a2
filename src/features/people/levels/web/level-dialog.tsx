import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call, sentenceOf } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useDraft } from '#web/drafts/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { ManagedLevel } from '../contract.ts';
import { LEVEL_DESCRIPTION_MAX, LEVEL_NAME_MAX } from '../limits.ts';
import { failed, type LevelOutcome, refreshedByLevels, succeeded } from './level-outcome.ts';
import type { DraftOptions } from '#web/drafts/draft.ts';

type Closing = { onClose: () => void; onOutcome: (outcome: LevelOutcome) => void };
type LevelDialogProps = Closing & { edited: ManagedLevel | 'new' | null };

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

function LevelForm({ level, onClose, onOutcome }: Closing & { level: ManagedLevel | null }) {
  const draft = useDraft(levelDraft(level));
  const typed = draft.value;
  const [hasKept] = useState(() => isChanged(typed, level));
  const failure = level ? 'Failed to update level' : 'Failed to add level';
  const save = useMutation({
    mutationFn: (body: TypedLevel) =>
      level
        ? call('PUT /api/admin/transmission-levels/{id}', { params: { id: level.id }, body })
        : call('POST /api/admin/transmission-levels', { body }),
    meta: { refreshes: refreshedByLevels },
    onSuccess: ({ name }) => {
      draft.forget();
      onOutcome(succeeded(level ? 'Level updated' : 'Level added', name));
      onClose();
    },
    onError: (error) => onOutcome(failed(failure, error)),
  });
  const change = (part: Partial<TypedLevel>) => draft.change({ ...typed, ...part });
  /** Discards the draft. Closing with the cross or Esc keeps it on the device. */
  const cancel = () => {
    draft.forget();
    onClose();
  };
  const { props, problems } = useForm<TypedLevel>({
    values: { ...typed, name: typed.name.trim(), description: typed.description.trim() },
    schema: async () => (await import('../contract.ts')).levelsApi.add.body,
    onValid: (body) => save.mutate(body),
    onInvalid: save.reset,
  });
  return (
    <form {...props} className="grid gap-5">
      {hasKept && isChanged(typed, level) && (
        <Notice title="Your unsaved changes are back.">They weren’t saved. Cancel discards them.</Notice>
      )}
      <TextField
        label="Name"
        name="name"
        value={typed.name}
        onChange={({ target }) => change({ name: target.value })}
        limit={LEVEL_NAME_MAX}
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
        limit={LEVEL_DESCRIPTION_MAX}
      />
      <Checkbox
        label="Never available offline"
        hint="Its melodies can only be heard online. A copy saved on a device is removed the next time that device is online."
        checked={typed.neverKept}
        onChange={({ target }) => change({ neverKept: target.checked })}
      />
      {save.isError && (
        <Notice tone="danger" title={failure}>
          {sentenceOf(save.error, 'Please try again.')}
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

type TypedLevel = { name: string; description: string; neverKept: boolean };

/** Returns the form's initial values; null stands for a new level. */
const typedOf = (level: ManagedLevel | null): TypedLevel => ({
  name: level?.name ?? '',
  description: level?.description ?? '',
  neverKept: level?.neverKept ?? false,
});

const isChanged = (typed: TypedLevel, level: ManagedLevel | null) =>
  Object.keys(changedIn(typed, level)).length > 0;

/** Restores unsaved changes from before on top of the level's current values. */
const levelDraft = (level: ManagedLevel | null): DraftOptions<TypedLevel> => ({
  of: level === null ? 'new level' : `level ${level.id}`,
  begin: (kept) => ({ ...typedOf(level), ...kept }),
  // Only what was changed, so that it doesn't overwrite fields that somebody else changes.
  keep: (typed) => (isChanged(typed, level) ? changedIn(typed, level) : null),
});

function changedIn(typed: TypedLevel, level: ManagedLevel | null): Partial<TypedLevel> {
  const { name, description, neverKept } = typedOf(level);
  return {
    ...(typed.name === name ? {} : { name: typed.name }),
    ...(typed.description === description ? {} : { description: typed.description }),
    ...(typed.neverKept === neverKept ? {} : { neverKept: typed.neverKept }),
  };
}
