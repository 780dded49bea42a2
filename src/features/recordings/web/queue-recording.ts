import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import type { SubmissionFields } from '#web/audio/stored-recording.ts';
import type { TakeStore } from './takes/take-store.ts';
import { hasUploadId, getUploadId } from '#web/uploads/upload-id.ts';

/** Purpose of the takes on this device that the student can submit. */
export const SUBMISSION_PURPOSE = 'recording';

/**
 * Queues audio for sending, unless the server already has it. Uses the same id for the same audio, even if
 * the device has lost its copy or another tab has discarded it, because the audio may already be on its way
 * to the server and must not become two recordings.
 * @returns the id of the queued take
 */
export async function queueRecording(
  store: TakeStore,
  audio: ChosenAudio,
  fields: SubmissionFields,
  userId: string,
): Promise<string> {
  const { kept, name, blob, seconds, peaks } = audio;
  const mayHaveArrived = hasUploadId(blob);
  const id = getUploadId(blob, kept?.id);
  const sending = { state: 'queued', sending: fields, refusal: null } as const;
  if (store.wasSent(id) || (await store.change(id, sending))) return id;
  const take = { userId, purpose: SUBMISSION_PURPOSE, origin: 'uploaded', name, type: blob.type } as const;
  await store.keepFile(take, blob, { seconds, peaks }, id);
  await store.change(id, { ...sending, mayHaveArrived });
  return id;
}
