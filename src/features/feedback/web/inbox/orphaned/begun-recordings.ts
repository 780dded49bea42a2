import { draftNames, loadDraft, saveDraft } from '#web/drafts/draft-storage.ts';
import type { Recording } from '#features/recordings/contract.ts';

// Copies of recordings to which a reply was begun: once a student withdraws one, there is no other copy.

const PLACE = 'begun ';

const placeOf = (recordingId: number) => `${PLACE}${recordingId}`;

export const keepBegun = (userId: string, recording: Recording) =>
  saveDraft(userId, placeOf(recording.id), recording);

export const forgetBegun = (userId: string, recordingId: number) =>
  saveDraft(userId, placeOf(recordingId), null);

/** Recordings that this person has begun to answer on this device, oldest first. */
export const begunRecordings = (userId: string): Recording[] =>
  draftNames(userId, PLACE)
    .flatMap((place) => read(loadDraft(userId, place)))
    .sort((a, b) => a.id - b.id);

function read(kept: object | null): Recording[] {
  const recording: Partial<Recording> | null = kept;
  return typeof recording?.id === 'number' && recording.student ? [recording as Recording] : [];
}
