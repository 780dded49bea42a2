import { call } from '../../../../platform/web/call.ts';
import type { Feedback } from '../../contract.ts';
import { inOrder } from '../../marks.ts';
import { saveAttempts, compareWithServer, loadAttempts, type Outgoing } from './send-attempts.ts';

export type Sent = {
  feedback: Feedback;
  /** An earlier try had arrived, and was corrected to what was sent now. */
  isCorrected: boolean;
  /** An earlier try had a spoken part, which this one has not; it is still there. */
  hasOlderSound: boolean;
};

/** An earlier try had arrived, and was corrected since: what is sent now would take that away. */
export class CorrectedSince extends Error {}

/**
 * Sends a reply. Where an earlier try of it had arrived and its answer was lost, the server answers with that; what it
 * lacks is added by a correction, so that nothing counts as sent that was not.
 * @throws {CorrectedSince} when somebody has corrected it in between
 */
export async function sendReply(
  { userId, recordingId }: { userId: string; recordingId: number },
  reply: Outgoing & { peaks: string | null },
): Promise<Sent> {
  const { text, sound, peaks } = reply;
  const before = loadAttempts(userId, recordingId);
  const tries = { ...before, sounds: [...before.sounds, sound] };
  saveAttempts(userId, recordingId, tries);
  const marks = JSON.stringify(inOrder(reply.marks));
  const spoken = { ...(sound ? { uploadId: sound } : {}), ...(peaks ? { peaks } : {}) };
  const has = await call('POST /api/feedback', {
    form: {
      recordingId,
      clientId: tries.id,
      ...(text.trim() === '' ? {} : { writtenFeedback: text.trim() }),
      ...(reply.marks.length === 0 ? {} : { marks }),
      ...spoken,
    },
  });
  const hasOlderSound = sound === null && has.audioFeedbackUrl !== null;
  const standing = compareWithServer(reply, has, tries);
  if (standing === 'same') return { feedback: has, isCorrected: false, hasOlderSound };
  if (standing === 'corrected') throw new CorrectedSince();
  saveAttempts(userId, recordingId, { ...tries, correctedWith: sound });
  const feedback = await call('PUT /api/feedback/{id}', {
    params: { id: has.id },
    form: { writtenFeedback: text.trim(), marks, basedOn: '', ...spoken },
  });
  return { feedback, isCorrected: true, hasOlderSound };
}
