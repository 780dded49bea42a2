import { type Kept, loadDraft, saveDraft } from '../../../../platform/web/drafts/draft-storage.ts';
import { newId } from '../../../../platform/web/uploads/new-id.ts';
import { ATTEMPTS_MAX } from '../../limits.ts';

/**
 * What was tried to answer one recording, for the answer to a try can be lost on a poor connection. Each content that
 * was sent has a key of its own: the same once more is the same call, also from another tab, and another content takes
 * the place of those before it.
 */
export type SendAttempts = {
  /** The newest last. */
  keys: readonly string[];
  /** What went out under the newest. */
  content: string;
};

/** The attempts with one for this content, which is on the device before it goes out. */
export function attemptAt(userId: string, recordingId: number, content: string): SendAttempts {
  const before = unpacked(loadDraft(userId, placeOf(recordingId)));
  if (before?.content === content) return before;
  const attempts = { keys: [...(before?.keys ?? []), newId()].slice(-ATTEMPTS_MAX), content };
  saveDraft(userId, placeOf(recordingId), attempts);
  return attempts;
}

export const forgetAttempts = (userId: string, recordingId: number) =>
  saveDraft(userId, placeOf(recordingId), null);

const placeOf = (recordingId: number) => `reply id ${recordingId}`;

/** Older versions kept one key for all that was sent, alone or with what the sounds were; the content was not kept. */
function unpacked(kept: Kept | null): SendAttempts | null {
  if (kept === null) return null;
  if (typeof kept === 'object' && 'keys' in kept) return kept as SendAttempts;
  const id = typeof kept === 'string' ? kept : (kept as { id: string }).id;
  return { keys: [id], content: '' };
}
