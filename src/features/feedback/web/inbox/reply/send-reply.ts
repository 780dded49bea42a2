import { call } from '#web/api/call.ts';
import type { Feedback, HeldFeedback } from '#features/feedback/contract.ts';
import { HOLD_SECONDS } from '#features/feedback/limits.ts';
import { toSend } from '#features/feedback/marks.ts';
import type { Written } from '#features/feedback/web/draft/draft.ts';
import { type AttemptContent, attemptAt } from './send-attempts.ts';

/** A reply to be sent; its sound is at the server already. */
export type Outgoing = Written & { sound: string | null; peaks: string | null };

/** It goes out in a moment, and can be taken back until then. */
type SentLater = { held: HeldFeedback };

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
  holdSeconds = HOLD_SECONDS,
): Promise<Sent | SentLater> {
  const writtenFeedback = text.trim();
  const said = toSend(marks);
  const content: AttemptContent = { writtenFeedback, marks: JSON.stringify(said), sound };
  const { keys } = attemptAt(userId, recordingId, JSON.stringify(content));
  const earlier = keys.slice(0, -1);
  const sent = await call('POST /api/feedback', {
    form: {
      recordingId,
      clientId: keys.at(-1),
      ...(earlier.length === 0 ? {} : { supersedes: earlier.join() }),
      ...(writtenFeedback === '' ? {} : { writtenFeedback }),
      ...(said.length === 0 ? {} : { marks: content.marks }),
      ...(sound ? { uploadId: sound } : {}),
      ...(peaks ? { peaks } : {}),
      holdSeconds,
    },
  });
  if ('secondsLeft' in sent) return { held: sent };
  const feedback = sent;
  return {
    feedback,
    isCorrected: earlier.length > 0 && feedback.correctedAt !== null,
    hasOlderSound: sound === null && feedback.audioFeedbackUrl !== null,
  };
}
