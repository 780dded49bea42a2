import { MEBIBYTE, type UploadSlot } from '#shared/media.ts';
import { createStore } from '../store.ts';
import { isLostConnectionError } from './upload-failures.ts';
import { createRetrySchedule } from './retry-schedule.ts';
import { tabUploadConnection } from './upload-connection.ts';
import { getUploadId } from './upload-id.ts';
import { createUploader } from './uploader.ts';
import { waitForReturnOrReconnect, onReturnOrReconnect } from './on-return-or-reconnect.ts';
import { type InspectionProgress, withInspectionPolling } from './with-inspection-polling.ts';

/**
 * `waiting`: for a connection. `stopped`: by the user. `fraction`: how much of the files has arrived, 0 to 1.
 */
export type FormUploadState = {
  readonly step: 'idle' | 'sending' | 'waiting' | 'stopped';
  readonly fraction: number;
  /** The server's progress in inspecting the audio; null while the server does not report any. */
  readonly inspectionProgress: InspectionProgress;
};

export type FormUploadFile = { blob: Blob; slot: UploadSlot['name']; kept?: string | undefined };

export type FormUpload = ReturnType<typeof createFormUpload>;

type OnComplete<T> = (uploadIds: readonly string[], signal: AbortSignal) => Promise<T>;

/**
 * Minimum size of an audio file whose inspection progress is polled. No take is that large, and smaller files
 * are inspected within seconds.
 */
const MIN_LONG_BYTES = 8 * MEBIBYTE;

/** Files that the server may have used already, because the response to `onComplete` was lost. */
const mayHaveArrived = new WeakSet<Blob>();
const recordLostAnswer = (file: Blob, isAnswerLost: boolean) =>
  isAnswerLost ? mayHaveArrived.add(file) : mayHaveArrived.delete(file);

/**
 * Creates an upload for files chosen on the open page. The upload pauses while there is no connection and
 * resumes by itself. Sending the same file again resumes where an earlier attempt stopped.
 */
export function createFormUpload(options: {
  /** Tests pass a fake. */
  call?: Parameters<typeof createUploader>[0]['call'];
  random?: () => number;
}) {
  const { call, random } = options;
  const uploader = createUploader({ connection: tabUploadConnection, call });
  const state = createStore<FormUploadState>({ step: 'idle', fraction: 0, inspectionProgress: null });
  let sending: AbortController | null = null;

  const show = (part: Partial<FormUploadState>) => state.set({ ...state.get(), ...part });

  /**
   * Retries until the files have arrived, the server rejects them, or the upload is stopped. If the
   * connection is lost during `onComplete`, rejects without a retry.
   */
  async function sendPatiently<T>(
    files: readonly FormUploadFile[],
    onComplete: OnComplete<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const schedule = createRetrySchedule(random);
    const uploads = files.map(({ blob, slot, kept }) => ({ blob, slot, uploadId: getUploadId(blob, kept) }));
    const ids = uploads.map(({ uploadId }) => uploadId);
    const long = uploads.find(({ slot, blob }) => slot !== 'melody-thumbnail' && blob.size >= MIN_LONG_BYTES);
    const make = () => onComplete(ids, signal);
    for (;;) {
      let isAnswered = false;
      let isComplete = false;
      try {
        return await uploader.deliver({
          files: () => uploads,
          mayHaveArrived: files.every(({ blob }) => mayHaveArrived.has(blob)),
          async onMissing() {
            isComplete = false;
            show({ step: 'sending', fraction: 0 });
          },
          onProgress(fraction) {
            isAnswered = true;
            if (fraction <= state.get().fraction) return;
            schedule.reset();
            show({ step: 'sending', fraction });
          },
          async onComplete() {
            isComplete = true;
            show({ step: 'sending', fraction: 1 });
            if (!long) return make();
            return withInspectionPolling(long.uploadId, make, {
              onProgress: (progress) => show({ inspectionProgress: progress }),
              call,
            });
          },
          signal,
        });
      } catch (error) {
        if (isComplete) for (const { blob } of files) recordLostAnswer(blob, isLostConnectionError(error));
        if (isComplete || signal.aborted || !isLostConnectionError(error)) throw error;
        show({ step: 'waiting' });
        await waitForReturnOrReconnect(schedule.after(error, isAnswered), signal);
      }
    }
  }

  return {
    subscribe: state.subscribe,
    get: state.get,

    /**
     * Uploads the files, then calls `onComplete` with their ids, in the same order.
     * @returns the result of `onComplete`
     * @throws {CallError} if the server rejects something, or the response to `onComplete` is lost; an
     * AbortError if stopped
     */
    async send<T>(files: readonly FormUploadFile[], onComplete: OnComplete<T>): Promise<T> {
      const { signal } = (sending = new AbortController());
      show({ step: files.length === 0 ? 'idle' : 'sending', fraction: 0 });
      if (files.length === 0) return onComplete([], signal);
      const sent = new AbortController();
      onReturnOrReconnect(tabUploadConnection.shortenStallTimeout, sent.signal);
      try {
        return await sendPatiently(files, onComplete, signal);
      } finally {
        sent.abort();
        if (!signal.aborted) show({ step: 'idle' });
      }
    },

    /** Stops the upload. Chunks that have arrived stay on the server for a later attempt. */
    stop() {
      sending?.abort();
      show({ step: 'stopped', fraction: 0 });
    },

    /** Aborts the upload. Call this when the user leaves the page. */
    end: () => sending?.abort(),
  };
}
