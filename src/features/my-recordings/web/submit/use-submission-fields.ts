import { type FormDraftOptions, openFormDraft } from '#web/drafts/form-draft.ts';
import { saveDraft } from '#web/drafts/draft-storage.ts';
import { useFormDraft } from '#web/drafts/use-form-draft.ts';
import { useUser } from '#web/api/session.ts';
import { useMelodySelection } from './use-melody-selection.ts';
import type { RecordingFields } from '#features/recordings/web/commit-take.ts';

/** Null for a field that has not been edited. */
type TypedFields = { title: string | null; message: string | null };

const NO_TYPED_FIELDS: TypedFields = { title: null, message: null };

/**
 * Returns the fields sent with a recording, and functions that change them. Until it is sent, typed text is
 * stored on this device per user and melody, so that it does not appear with another melody later.
 */
export function useSubmissionFields() {
  const { id: userId } = useUser();
  const melody = useMelodySelection();
  const draft = useFormDraft(getSubmissionDraftOptions(melody.id));
  const typed = draft.value;
  const type = (part: Partial<TypedFields>) => draft.change({ ...draft.latest(), ...part });

  /** Chooses another melody and moves the typed text to that melody's draft. */
  function move(melodyId: number | null, moved: TypedFields) {
    const { name, toStored } = getSubmissionDraftOptions(melodyId);
    saveDraft(userId, name, toStored(moved));
    melody.choose(melodyId);
  }

  const title = typed.title ?? melody.chosen?.title ?? '';
  const message = typed.message ?? '';
  const sending: RecordingFields = { title: title.trim(), message: message.trim(), melodyId: melody.id };
  return {
    melody,
    title,
    message,
    sending,
    /** Whether the user has typed in one of the fields. */
    isTyped: typed.title !== null || message !== '',
    /** Whether the melody's title is still loading. */
    isTitleAwaited: melody.id !== null && melody.library === 'loading',
    typeTitle: (text: string) => type({ title: text }),
    typeMessage: (text: string) => type({ message: text }),
    /** Chooses a melody and moves the typed text to that melody's draft. */
    chooseMelody(id: number | null) {
      if (id === melody.id) return;
      const moved = draft.latest();
      draft.change(NO_TYPED_FIELDS);
      move(id, moved);
    },
    /**
     * Fills the form with the fields of a submitted or abandoned recording. If a field of the recording is
     * empty, typed text stays.
     */
    restoreFields(from: RecordingFields) {
      const isHere = from.melodyId === melody.id;
      const there = isHere
        ? draft.latest()
        : openFormDraft(userId, getSubmissionDraftOptions(from.melodyId)).get();
      const taken = { title: from.title || there.title, message: from.message || there.message };
      if (isHere) draft.change(taken);
      else move(from.melodyId, taken);
    },
    clear: () => draft.change(NO_TYPED_FIELDS),
  };
}

const getSubmissionDraftOptions = (melodyId: number | null): FormDraftOptions<TypedFields> => {
  const suffix = melodyId === null ? '' : ` ${melodyId}`;
  return {
    name: `submission${suffix}`,
    restore: (kept) => (kept as TypedFields | null) ?? NO_TYPED_FIELDS,
    toStored: (typed) => (typed.title || typed.message ? typed : null),
  };
};
