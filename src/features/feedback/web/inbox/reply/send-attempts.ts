import { loadDraft, saveDraft } from '#web/drafts/draft-storage.ts';
import { newId } from '#web/uploads/new-id.ts';
import type { Mark } from '#features/feedback/contract.ts';
import { ATTEMPTS_MAX } from '#features/feedback/limits.ts';

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

export const forgetAttempts = (userId: string, recordingId: number) =>
  saveDraft(userId, placeOf(recordingId), null);

const placeOf = (recordingId: number) => `reply id ${recordingId}`;

const stored = (userId: string, recordingId: number) =>
  loadDraft(userId, placeOf(recordingId)) as SendAttempts | null;
