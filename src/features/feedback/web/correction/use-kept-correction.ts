import { loadDraft } from '#web/drafts/draft-storage.ts';
import { useDraft } from '#web/drafts/use-draft.ts';
import type { Feedback } from '#features/feedback/contract.ts';
import { areSameMarks, toSend } from '#features/feedback/marks.ts';
import type { Written } from '../draft/draft.ts';
import { ownWords } from '../given-answer.tsx';

/** Whether this device has a correction that was neither saved nor discarded. */
export const hasKeptCorrection = (userId: string, feedbackId: number) =>
  loadDraft(userId, placeOf(feedbackId)) !== null;

const placeOf = (feedbackId: number) => `correct ${feedbackId}`;

/** Manages changes to given feedback, stored on the device until they are saved or discarded. */
export function useKeptCorrection(feedback: Feedback) {
  const given: Written = { text: ownWords(feedback) ?? '', marks: feedback.marks };
  const present = stateOf(feedback);
  const isOther = ({ text, marks }: Written) =>
    text.trim() !== given.text.trim() || !areSameMarks(toSend(marks), toSend(given.marks));
  const draft = useDraft<BegunCorrection>({
    of: placeOf(feedback.id),
    begin: (kept) => (kept ? unpackedCorrection(kept) : { written: given, basedOn: present }),
    keep: (begun) => (isOther(begun.written) ? packedCorrection(begun) : null),
  });
  const { written, basedOn } = draft.value;
  return {
    written,
    /** State of the feedback that these changes are based on. */
    basedOn,
    /** Whether somebody else has corrected the feedback since. */
    isOvertaken: basedOn !== present,
    isRewritten: isOther(written),
    change: (part: Partial<Written>) => draft.change({ written: { ...written, ...part }, basedOn }),
    /** Lets the changes replace the newer correction. */
    keepMine: () => draft.change({ written, basedOn: present }),
    takeNewer: () => draft.change({ written: given, basedOn: present }),
    forget: draft.forget,
  };
}

/** A correction in progress, and the state of the feedback that it is based on. */
export type BegunCorrection = { written: Written; basedOn: string };

/** Returns when the feedback was last corrected, in the form of `basedOn`; '' for never. */
export const stateOf = ({ correctedAt }: Pick<Feedback, 'correctedAt'>) => correctedAt ?? '';

export const packedCorrection = ({ written: { text, marks }, basedOn }: BegunCorrection) => ({
  text,
  marks,
  correctedAt: basedOn,
});

/** Restores a stored correction. */
export function unpackedCorrection(kept: object): BegunCorrection {
  const { text, marks, correctedAt } = kept as ReturnType<typeof packedCorrection>;
  return { written: { text, marks }, basedOn: correctedAt };
}
