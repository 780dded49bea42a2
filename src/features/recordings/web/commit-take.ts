import type { callApi } from '#web/api/call.ts';
import type { CommitTake } from './takes/take-sender.ts';

/** Fields that are sent with a recording stored on the device. */
export type RecordingFields = { title: string; message: string; melodyId: number | null };

/** Returns a function that turns an uploaded take into a recording, using `call` for the request. */
export const createCommitTake =
  (call: typeof callApi): CommitTake =>
  (take, signal) => {
    const { title, message, melodyId } = take.sending as RecordingFields;
    return call('POST /api/recordings', {
      form: {
        title,
        message: message || undefined,
        melodyId: melodyId ?? undefined,
        clientId: take.id,
        uploadId: take.id,
        peaks: take.peaks ?? undefined,
      },
      signal,
    });
  };
