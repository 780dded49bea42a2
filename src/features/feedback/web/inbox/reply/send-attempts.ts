import { CallError } from '#web/api/call.ts';
import { loadDraft, saveDraft } from '#web/drafts/draft-storage.ts';
import { newId } from '#web/uploads/new-id.ts';
import type { Mark } from '#features/feedback/contract.ts';
import { ATTEMPTS_MAX, TAKEN_BACK } from '#features/feedback/limits.ts';

/**
 * The tries to answer one recording: on a poor connection, the response to one may be lost. Each content has its own
 * idempotency key: sending the same content again, also from another tab, repeats the call, and different content
 * supersedes the earlier tries.
 */
export type SendAttempts = {
  /** Idempotency keys, newest last. */
  keys: readonly string[];
  /** Content sent with the newest key. */
  content: string;
  /** The server holds the newest try. */
  isHeld?: boolean;
};

/** The tries including one for this content, which is stored on the device before it is sent. */
export function attemptAt(userId: string, recordingId: number, content: string): SendAttempts {
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
export type AttemptContent = { writtenFeedback: string; marks: string; sound: string | null };

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
