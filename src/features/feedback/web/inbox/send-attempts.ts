import { type Kept, loadDraft, saveDraft } from '../../../../platform/web/drafts/draft-storage.ts';
import { newId } from '../../../../platform/web/takes/new-id.ts';
import type { Feedback } from '../../contract.ts';
import { areSameMarks, inOrder, writtenFrom } from '../../marks.ts';
import type { Written } from '../draft/draft.ts';

/** What was tried to answer one recording, for the answer to a try can be lost on a poor connection. */
export type SendAttempts = {
  /** One for all tries, so that two tabs, or a try after a lost answer, make one feedback. */
  id: string;
  /** The sound of each that was sent; null for one without. */
  sounds: readonly (string | null)[];
  /** The sound with which an earlier try was to be corrected; absent where none was. */
  correctedWith?: string | null;
};

/** A reply as it goes out: its sound is at the server already. */
export type Outgoing = Written & { sound: string | null };

/**
 * How what the server has stands to what is sent now: 'same', 'lacking', when a correction adds what is missing, or
 * 'corrected', when somebody has corrected it in between and must not be overwritten unseen.
 */
export function compareWithServer(
  reply: Outgoing,
  has: Feedback,
  tries: SendAttempts,
): 'same' | 'lacking' | 'corrected' {
  if (isSameWriting(reply, has) && hasSound(reply.sound, has, tries)) return 'same';
  return has.correctedAt === null ? 'lacking' : 'corrected';
}

/** Whether both say the same in words and marks. */
export function isSameWriting({ text, marks }: Written, has: Feedback) {
  const inSequence = inOrder(marks);
  const words = text.trim() || writtenFrom(inSequence);
  return (
    sameLineEnds(words) === sameLineEnds((has.writtenFeedback ?? '').trim()) &&
    areSameMarks(inSequence, inOrder(has.marks))
  );
}

// A form travels with line ends of its own.
const sameLineEnds = (words: string) => words.replaceAll(/\r\n?/g, '\n');

// The server does not tell which sound it took; where several were tried it may be any of them.
function hasSound(sound: string | null, has: Feedback, tries: SendAttempts) {
  if (sound === null) return true;
  if (has.audioFeedbackUrl === null) return false;
  return has.correctedAt === null
    ? tries.sounds.every((each) => each === sound)
    : tries.correctedWith === sound;
}

/** What was tried before to this recording, on this device; the beginning of it where nothing was. */
export function loadAttempts(userId: string, recordingId: number): SendAttempts {
  return unpacked(loadDraft(userId, placeOf(recordingId))) ?? { id: newId(), sounds: [] };
}

export const saveAttempts = (userId: string, recordingId: number, tries: SendAttempts) =>
  saveDraft(userId, placeOf(recordingId), tries);

export const forgetAttempts = (userId: string, recordingId: number) =>
  saveDraft(userId, placeOf(recordingId), null);

const placeOf = (recordingId: number) => `reply id ${recordingId}`;

// An older version kept the id alone, and with what sound it went out nobody knows.
const unpacked = (kept: Kept | null) =>
  typeof kept === 'string' ? { id: kept, sounds: [null] } : (kept as SendAttempts | null);
