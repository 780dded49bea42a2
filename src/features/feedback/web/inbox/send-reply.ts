import { call } from '../../../../platform/web/call.ts';
import type { Feedback } from '../../contract.ts';
import { inOrder } from '../../marks.ts';
import type { Written } from '../draft/draft.ts';
import { attemptAt } from './send-attempts.ts';

/** A reply to be sent; its sound is at the server already. */
export type Outgoing = Written & { sound: string | null; peaks: string | null };

export type Sent = {
  feedback: Feedback;
  /** An earlier try had arrived, and was corrected to this one. */
  isCorrected: boolean;
  /** An earlier try had a spoken part and this one has none; the spoken part is still there. */
  hasOlderSound: boolean;
};

/**
 * Sends a reply. If an earlier try with different content had arrived but its response was lost, the server corrects it
 * to this one, unless somebody else has corrected it in between (409).
 */
export async function sendReply(
  { userId, recordingId }: { userId: string; recordingId: number },
  { text, marks, sound, peaks }: Outgoing,
): Promise<Sent> {
  const writtenFeedback = text.trim();
  const content = { writtenFeedback, marks: JSON.stringify(inOrder(marks)), sound };
  const { keys } = attemptAt(userId, recordingId, JSON.stringify(content));
  const earlier = keys.slice(0, -1);
  const feedback = await call('POST /api/feedback', {
    form: {
      recordingId,
      clientId: keys.at(-1),
      ...(earlier.length === 0 ? {} : { supersedes: earlier.join() }),
      ...(writtenFeedback === '' ? {} : { writtenFeedback }),
      ...(marks.length === 0 ? {} : { marks: content.marks }),
      ...(sound ? { uploadId: sound } : {}),
      ...(peaks ? { peaks } : {}),
    },
  });
  return {
    feedback,
    isCorrected: earlier.length > 0 && feedback.correctedAt !== null,
    hasOlderSound: sound === null && feedback.audioFeedbackUrl !== null,
  };
}
