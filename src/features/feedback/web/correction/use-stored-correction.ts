import { loadDraft } from '#web/drafts/draft-storage.ts';
import { useFormDraft } from '#web/drafts/use-form-draft.ts';
import type { Feedback } from '#features/feedback/contract.ts';
import { areMarkListsEqual, getSendableMarks } from '#features/feedback/marks.ts';
import type { WrittenReply } from '../draft/written-reply.ts';
import { getTypedFeedback } from '../given-feedback.tsx';

/** Returns whether this device has a correction that was neither saved nor discarded. */
export const hasStoredCorrection = (userId: string, feedbackId: number) =>
  loadDraft(userId, getDraftName(feedbackId)) !== null;

const getDraftName = (feedbackId: number) => `correct ${feedbackId}`;

/** Manages changes to released feedback, stored on the device until they are saved or discarded. */
export function useStoredCorrection(feedback: Feedback) {
  const current: WrittenReply = { text: getTypedFeedback(feedback) ?? '', marks: feedback.marks };
  const currentBase = getCorrectedAt(feedback);
  const isDifferent = ({ text, marks }: WrittenReply) =>
    text.trim() !== current.text.trim() ||
    !areMarkListsEqual(getSendableMarks(marks), getSendableMarks(current.marks));
  const draft = useFormDraft<CorrectionDraft>({
    name: getDraftName(feedback.id),
    restore: (kept) => (kept ? deserializeCorrection(kept) : { written: current, basedOn: currentBase }),
    toStored: (begun) => (isDifferent(begun.written) ? serializeCorrection(begun) : null),
  });
  const { written, basedOn } = draft.value;
  return {
    written,
    /** The feedback's `correctedAt` when these changes began; '' if it had never been corrected. */
    basedOn,
    /** Whether the feedback has been corrected elsewhere since these changes began. */
    isOvertaken: basedOn !== currentBase,
    isRewritten: isDifferent(written),
    change: (part: Partial<WrittenReply>) => draft.change({ written: { ...written, ...part }, basedOn }),
    /** Bases the changes on the newer correction, so that saving them replaces it. */
    keepMine: () => draft.change({ written, basedOn: currentBase }),
    takeNewer: () => draft.change({ written: current, basedOn: currentBase }),
    forget: draft.forget,
  };
}

/** A correction in progress. `basedOn` identifies the version of the feedback that is being corrected. */
export type CorrectionDraft = { written: WrittenReply; basedOn: string };

/** Returns when the feedback was last corrected, as a `basedOn` value; '' if it was never corrected. */
export const getCorrectedAt = ({ correctedAt }: Pick<Feedback, 'correctedAt'>) => correctedAt ?? '';

export const serializeCorrection = ({ written: { text, marks }, basedOn }: CorrectionDraft) => ({
  text,
  marks,
  correctedAt: basedOn,
});

export function deserializeCorrection(kept: object): CorrectionDraft {
  const { text, marks, correctedAt } = kept as ReturnType<typeof serializeCorrection>;
  return { written: { text, marks }, basedOn: correctedAt };
}
