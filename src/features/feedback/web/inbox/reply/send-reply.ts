import { callApi, CallError } from '#web/api/call.ts';
import type { Feedback, HeldFeedback, Mark } from '#features/feedback/contract.ts';
import {
  UNDO_WINDOW_SECONDS,
  MAX_SUPERSEDED_SEND_ATTEMPTS,
  SENDING_CANCELLED_MESSAGE,
} from '#features/feedback/limits.ts';
import { getSendableMarks } from '#features/feedback/marks.ts';
import type { WrittenReply } from '#features/feedback/web/draft/written-reply.ts';
import { loadDraft, saveDraft } from '#web/drafts/draft-storage.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';

/** A reply to send. Its audio has already been uploaded. */
export type OutgoingReply = WrittenReply & { sound: string | null; peaks: string | null };

/** Response for a held reply, which can still be undone. */
type HeldReplyResult = { held: HeldFeedback };

export type SentReply = {
  feedback: Feedback;
  /** Whether an earlier version of the reply had arrived and was replaced by this one. */
  isCorrected: boolean;
  /** Whether the spoken part of an earlier version remains, although this reply has none. */
  hasOlderSound: boolean;
};

/**
 * Sends a reply. If an earlier version with different content arrived but its response was lost, the server
 * replaces that version with this reply, unless the feedback has been corrected since (409).
 */
export async function sendReply(
  { userId, recordingId }: { userId: string; recordingId: number },
  { text, marks, sound, peaks }: OutgoingReply,
  holdSeconds = UNDO_WINDOW_SECONDS,
): Promise<SentReply | HeldReplyResult> {
  const writtenFeedback = text.trim();
  const sendableMarks = getSendableMarks(marks);
  const content: AttemptContent = { writtenFeedback, marks: JSON.stringify(sendableMarks), sound };
  const { keys } = prepareAttempt(userId, recordingId, JSON.stringify(content));
  const earlier = keys.slice(0, -1);
  const sent = await callApi('POST /api/feedback', {
    form: {
      recordingId,
      clientId: keys.at(-1),
      ...(earlier.length === 0 ? {} : { supersedes: earlier.join() }),
      ...(writtenFeedback === '' ? {} : { writtenFeedback }),
      ...(sendableMarks.length === 0 ? {} : { marks: content.marks }),
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
 * Attempts to send a reply to one recording, stored because responses may be lost. Each version of the
 * content has its own idempotency key. Sending the same content again, even from another tab, repeats the
 * call. Different content supersedes the earlier versions.
 */
type SendAttempts = {
  /** Idempotency keys, newest last. */
  keys: readonly string[];
  /** Content sent with the newest key. */
  content: string;
  /** Whether the newest version has reached the server and can still be undone. */
  isHeld?: boolean;
};

/**
 * Returns the attempts to send, including an attempt with this content, and stores them on the device before
 * anything is sent.
 */
function prepareAttempt(userId: string, recordingId: number, content: string): SendAttempts {
  const before = loadAttempts(userId, recordingId);
  if (before?.content === content) return before;
  const attempts = {
    keys: [...(before?.keys ?? []), createUuid()].slice(-MAX_SUPERSEDED_SEND_ATTEMPTS),
    content,
  };
  saveDraft(userId, getDraftName(recordingId), attempts);
  return attempts;
}

/**
 * Returns the content of the last attempt to send, or null. Its `sound` is the id of a take on the device.
 */
export function getLastAttemptContent(userId: string, recordingId: number) {
  const content = loadAttempts(userId, recordingId)?.content;
  if (!content) return null;
  const { writtenFeedback, marks, sound } = JSON.parse(content) as AttemptContent;
  return { text: writtenFeedback, marks: JSON.parse(marks) as Mark[], sound };
}

/** The content of an attempt to send, in the form in which it is compared and stored. */
type AttemptContent = { writtenFeedback: string; marks: string; sound: string | null };

export function setSendAttemptHeld(userId: string, recordingId: number) {
  const held = loadAttempts(userId, recordingId);
  if (held) saveDraft(userId, getDraftName(recordingId), { ...held, isHeld: true });
}

/**
 * Gives the content a new key if the reply sent last was held. The form is open again only because that reply
 * was undone, which invalidated its key. Must be called once for each press of Send.
 */
export function renewIdempotencyKey(userId: string, recordingId: number) {
  const { isHeld, keys = [], content } = loadAttempts(userId, recordingId) ?? {};
  if (!isHeld) return;
  saveDraft(userId, getDraftName(recordingId), {
    keys: [...keys, createUuid()].slice(-MAX_SUPERSEDED_SEND_ATTEMPTS),
    content,
  });
}

/**
 * Clears the attempts to send if the server reports that this content was undone, perhaps in another browser.
 * The next press of Send then sends it with a new key, but a retry of the current press does not.
 */
export function clearSendAttemptsIfUndone(error: unknown, userId: string, recordingId: number) {
  if (error instanceof CallError && error.serverMessage === SENDING_CANCELLED_MESSAGE)
    clearSendAttempts(userId, recordingId);
}

export const clearSendAttempts = (userId: string, recordingId: number) =>
  saveDraft(userId, getDraftName(recordingId), null);

const getDraftName = (recordingId: number) => `reply id ${recordingId}`;

const loadAttempts = (userId: string, recordingId: number) =>
  loadDraft(userId, getDraftName(recordingId)) as SendAttempts | null;
