import { call, CallError } from '#web/api/call.ts';
import type { Feedback, HeldFeedback, Mark } from '#features/feedback/contract.ts';
import { HOLD_SECONDS, ATTEMPTS_MAX, TAKEN_BACK } from '#features/feedback/limits.ts';
import { toSend } from '#features/feedback/marks.ts';
import type { Written } from '#features/feedback/web/draft/draft.ts';
import { loadDraft, saveDraft } from '#web/drafts/draft-storage.ts';
import { newId } from '#web/uploads/new-id.ts';

/** A reply to send; its sound is already on the server. */
export type Outgoing = Written & { sound: string | null; peaks: string | null };

/** Response for a held reply, which can still be undone. */
type SentLater = { held: HeldFeedback };

export type Sent = {
  feedback: Feedback;
  /** Whether an earlier attempt had arrived, and was corrected to this one. */
  isCorrected: boolean;
  /** Whether an earlier attempt left a spoken part that this one does not have. */
  hasOlderSound: boolean;
};

/**
 * Sends a reply. If an earlier attempt with different content had arrived but its response was lost, the server
 * corrects it to this one, unless somebody else has corrected it since (409).
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
 * Attempts to answer one recording: on a poor connection, a response may be lost. Each content has its own idempotency
 * key. Sending the same content again, even from another tab, repeats the call; different content supersedes the
 * earlier attempts.
 */
type SendAttempts = {
  /** Idempotency keys, newest last. */
  keys: readonly string[];
  /** Content sent with the newest key. */
  content: string;
  /** Whether the server holds the newest attempt. */
  isHeld?: boolean;
};

/** Returns the attempts including one for this content, which is stored on the device before it is sent. */
function attemptAt(userId: string, recordingId: number, content: string): SendAttempts {
  const before = stored(userId, recordingId);
  if (before?.content === content) return before;
  const attempts = { keys: [...(before?.keys ?? []), newId()].slice(-ATTEMPTS_MAX), content };
  saveDraft(userId, placeOf(recordingId), attempts);
  return attempts;
}

/** Returns the content of the last attempt, with its sound as the device's take id; null if there was none. */
export function lastContent(userId: string, recordingId: number) {
  const content = stored(userId, recordingId)?.content;
  if (!content) return null;
  const { writtenFeedback, marks, sound } = JSON.parse(content) as AttemptContent;
  return { text: writtenFeedback, marks: JSON.parse(marks) as Mark[], sound };
}

/** Content as it is compared and stored. */
type AttemptContent = { writtenFeedback: string; marks: string; sound: string | null };

export function noteHeldAttempt(userId: string, recordingId: number) {
  const held = stored(userId, recordingId);
  if (held) saveDraft(userId, placeOf(recordingId), { ...held, isHeld: true });
}

/**
 * Gives the content a new key if its last attempt was held: the form is open again because that was undone, which
 * spent its key. Call it once for each press of Send.
 */
export function renewAttempt(userId: string, recordingId: number) {
  const { isHeld, keys = [], content } = stored(userId, recordingId) ?? {};
  if (!isHeld) return;
  saveDraft(userId, placeOf(recordingId), { keys: [...keys, newId()].slice(-ATTEMPTS_MAX), content });
}

/**
 * Lets the next press send content again that was undone, perhaps in another browser. A retry of the current press
 * does not.
 */
export function forgetIfTakenBack(error: unknown, userId: string, recordingId: number) {
  if (error instanceof CallError && error.serverMessage === TAKEN_BACK) forgetAttempts(userId, recordingId);
}

export const forgetAttempts = (userId: string, recordingId: number) =>
  saveDraft(userId, placeOf(recordingId), null);

const placeOf = (recordingId: number) => `reply id ${recordingId}`;

const stored = (userId: string, recordingId: number) =>
  loadDraft(userId, placeOf(recordingId)) as SendAttempts | null;
