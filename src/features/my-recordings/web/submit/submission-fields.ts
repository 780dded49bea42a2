import { type DraftOptions, openDraft } from '#web/drafts/draft.ts';
import { saveDraft } from '#web/drafts/draft-storage.ts';
import { useDraft } from '#web/drafts/use-draft.ts';
import { useUser } from '#web/api/session.ts';
import { useChosenMelody } from './chosen-melody.ts';
import type { RecordingSending } from '#features/recordings/web/commit-take.ts';

/** Null for a field that has not been edited. */
type Typed = { title: string | null; message: string | null };

const NOTHING: Typed = { title: null, message: null };

/**
 * The fields sent with a recording. What the user types is stored on this device until it is sent, for this user and
 * this melody, so that it does not appear with another melody later.
 */
export function useSubmissionFields() {
  const { id: userId } = useUser();
  const melody = useChosenMelody();
  const draft = useDraft(submissionDraft(melody.id));
  const typed = draft.value;
  const type = (part: Partial<Typed>) => draft.change({ ...draft.latest(), ...part });

  /** Moves what was typed to the form of another melody. */
  function move(melodyId: number | null, moved: Typed) {
    const { of, keep } = submissionDraft(melodyId);
    saveDraft(userId, of, keep(moved));
    melody.choose(melodyId);
  }

  const title = typed.title ?? melody.chosen?.title ?? '';
  const message = typed.message ?? '';
  const sending: RecordingSending = { title: title.trim(), message: message.trim(), melodyId: melody.id };
  return {
    melody,
    title,
    message,
    sending,
    /** The user has typed in one of the fields. */
    isTyped: typed.title !== null || message !== '',
    /** The melody's title is still loading. */
    isTitleAwaited: melody.id !== null && melody.library === 'loading',
    typeTitle: (text: string) => type({ title: text }),
    typeMessage: (text: string) => type({ message: text }),
    /** Chooses a melody; what has been typed moves along with the choice. */
    chooseMelody(id: number | null) {
      if (id === melody.id) return;
      const moved = draft.latest();
      draft.change(NOTHING);
      move(id, moved);
    },
    /** Fills in the fields of a recording that was submitted or left behind. Fields that it lacks stay as typed. */
    takeOver(from: RecordingSending) {
      const isHere = from.melodyId === melody.id;
      const there = isHere ? draft.latest() : openDraft(userId, submissionDraft(from.melodyId)).get();
      const taken = { title: from.title || there.title, message: from.message || there.message };
      if (isHere) draft.change(taken);
      else move(from.melodyId, taken);
    },
    forget: () => draft.change(NOTHING),
  };
}

const submissionDraft = (melodyId: number | null): DraftOptions<Typed> => {
  const suffix = melodyId === null ? '' : ` ${melodyId}`;
  return {
    of: `submission${suffix}`,
    begin: (kept) => (kept as Typed | null) ?? NOTHING,
    keep: (typed) => (typed.title || typed.message ? typed : null),
  };
};
