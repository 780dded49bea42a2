import { call, CallError } from '#web/api/call.ts';
import type { Feedback, HeldFeedback, Mark } from '#features/feedback/contract.ts';
import { HOLD_SECONDS, ATTEMPTS_MAX, TAKEN_BACK } from '#features/feedback/limits.ts';
import { toSend } from '#features/feedback/marks.ts';
import type { Written } from '#features/feedback/web/draft/draft.ts';
import { loadDraft, saveDraft } from '#web/drafts/draft-storage.ts';
import { newId } from '#web/uploads/new-id.ts';

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

/**
 * The tries to answer one recording: on a poor connection, the response to one may be lost. Each content has its own
 * idempotency key: sending the same content again, also from another tab, repeats the call, and different content
 * supersedes the earlier tries.
 */
type SendAttempts = {
  /** Idempotency keys, newest last. */
  keys: readonly string[];
  /** Content sent with the newest key. */
  content: string;
  /** The server holds the newest try. */
  isHeld?: boolean;
};

/** The tries including one for this content, which is stored on the device before it is sent. */
function attemptAt(userId: string, recordingId: number, content: string): SendAttempts {
  const before = stored(userId, recordingId);
  if (before?.content === content) return before;
  const attempts = { keys: [...(before?.keys ?? []), newId()].slice(-ATTEMPTS_MAX), content };
  saveDraft(userId, placeOf(recordingId), attempts);
  return attempts;
}

/** What the last try said, and its sound by the id under which the device has it; null if there was none. */
export function lastContent(userId: string, recordingId: number) {
  const content = stored(userId, recordingId)?.content;
  if (!content) return null;
  const { writtenFeedback, marks, sound } = JSON.parse(content) as AttemptContent;
  return { text: writtenFeedback, marks: JSON.parse(marks) as Mark[], sound };
}

/** As it is compared and stored. */
type AttemptContent = { writtenFeedback: string; marks: string; sound: string | null };

export function noteHeldAttempt(userId: string, recordingId: number) {
  const held = stored(userId, recordingId);
  if (held) saveDraft(userId, placeOf(recordingId), { ...held, isHeld: true });
}

/**
 * Gives the content a new key if its last try was held. To be called once for each press on Send: the form is back
 * because the reply was taken back, and its key is spent.
 */
export function renewAttempt(userId: string, recordingId: number) {
  const { isHeld, keys = [], content } = stored(userId, recordingId) ?? {};
  if (!isHeld) return;
  saveDraft(userId, placeOf(recordingId), { keys: [...keys, newId()].slice(-ATTEMPTS_MAX), content });
}

/** Lets the next press send again what was taken back, perhaps in another browser. A retry of this press does not. */
export function forgetIfTakenBack(error: unknown, userId: string, recordingId: number) {
  if (error instanceof CallError && error.serverMessage === TAKEN_BACK) forgetAttempts(userId, recordingId);
}

export const forgetAttempts = (userId: string, recordingId: number) =>
  saveDraft(userId, placeOf(recordingId), null);

const placeOf = (recordingId: number) => `reply id ${recordingId}`;

const stored = (userId: string, recordingId: number) =>
  loadDraft(userId, placeOf(recordingId)) as SendAttempts | null;
