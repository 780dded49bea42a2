import type { DraftOptions } from '../../../platform/web/drafts/draft.ts';
import { type Kept, saveDraft } from '../../../platform/web/drafts/draft-storage.ts';
import { useDraft } from '../../../platform/web/drafts/use-draft.ts';
import { useUser } from '../../../platform/web/session.ts';
import { useChosenMelody } from './chosen-melody.ts';
import type { RecordingSending } from './sending.ts';

/** Null for a field that nobody has typed in. */
type Typed = { title: string | null; message: string | null };

const NOTHING: Typed = { title: null, message: null };

/**
 * What goes along with a recording. What is typed is kept on this device until it is sent, for this person and the
 * melody that it was typed for, so that it stands beside no other one later.
 */
export function useSubmissionFields() {
  const { id: userId } = useUser();
  const melody = useChosenMelody();
  const draft = useDraft(submissionDraft(melody.id));
  const typed = draft.value;
  const type = (part: Partial<Typed>) => draft.change({ ...draft.latest(), ...part });

  /** Takes it to the form of another melody. */
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
    typeTitle: (text: string) => type({ title: text }),
    typeMessage: (text: string) => type({ message: text }),
    /** What was typed before a melody was chosen goes along with the choice. */
    chooseMelody(id: number | null) {
      if (id === melody.id) return;
      const moved = draft.latest();
      draft.change(NOTHING);
      move(id, moved);
    },
    /** As a recording has it that was sent off or left behind. */
    takeOver(from: RecordingSending) {
      const taken = { title: from.title || null, message: from.message || null };
      if (from.melodyId === melody.id) draft.change(taken);
      else move(from.melodyId, taken);
    },
    forget: () => draft.change(NOTHING),
  };
}

const submissionDraft = (melodyId: number | null): DraftOptions<Typed> => {
  const suffix = melodyId === null ? '' : ` ${melodyId}`;
  return {
    of: `submission${suffix}`,
    begin: (kept, [title = null, message = null]) =>
      kept ? (kept as Typed) : { title: textOf(title), message: textOf(message) },
    keep: (typed) => (typed.title || typed.message ? typed : null),
    formerly: [`submit title${suffix}`, `submit message${suffix}`],
  };
};

/** Such texts were kept as they were typed, and some read as JSON. */
const textOf = (kept: Kept | null) => (typeof kept === 'object' && kept ? JSON.stringify(kept) : kept);
