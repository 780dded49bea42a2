import type { UploadSlot } from '#shared/media.ts';
import { type callApi, CallError } from '../api/call.ts';
import type { UploadConnection } from './upload-connection.ts';
import { uploadInChunks } from './upload-in-chunks.ts';

export type FileToUpload = {
  /** Identifies the upload; the same id resumes where an earlier upload stopped. */
  uploadId: string;
  blob: Blob;
  slot: UploadSlot['name'];
};

export type UploadTask<T> = {
  /** Called only when needed, because the files may have to be read from the device. */
  files: () => readonly FileToUpload[] | Promise<readonly FileToUpload[]>;
  /**
   * Makes the call that uses the files, once all have arrived.
   * @throws {CallError} 409 if the server lacks one of the files
   */
  onComplete: () => Promise<T>;
  /**
   * Whether an earlier call to `onComplete` may have succeeded although its response was lost. If so,
   * `onComplete` is called first, before any upload.
   */
  mayHaveArrived?: boolean;
  /**
   * Called if that first call to `onComplete` fails with 409, which means that the earlier call did not
   * succeed.
   */
  onMissing?: () => Promise<unknown>;
  /** Called with the fraction of all bytes that the server has confirmed, 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal: AbortSignal;
};

/** Creates an uploader, which sends files in chunks. Every upload in the app uses one. */
export function createUploader(options: {
  connection: UploadConnection;
  /** Tests pass a fake. */
  call?: typeof callApi | undefined;
}) {
  const { connection, call } = options;

  return {
    /**
     * Makes one attempt. However it ends, the next attempt resumes where this one stopped.
     * @returns the result of `onComplete`
     * @throws {CallError} if the server rejects something, or not even a small chunk gets through
     */
    async deliver<T>({
      files,
      onComplete,
      onMissing,
      onProgress,
      signal,
      ...more
    }: UploadTask<T>): Promise<T> {
      if (more.mayHaveArrived) {
        try {
          return await onComplete();
        } catch (error) {
          if (!(error instanceof CallError) || error.status !== 409) throw error;
          await onMissing?.();
        }
      }
      const all = await files();
      const bytes = all.reduce((sum, { blob }) => sum + blob.size, 0);
      let before = 0;
      for (const { uploadId, blob, slot } of all) {
        await uploadInChunks({
          clientId: uploadId,
          file: blob,
          slot,
          signal,
          connection,
          onProgress: (fraction) => onProgress?.((before + fraction * blob.size) / bytes),
          ...(call && { call }),
        });
        before += blob.size;
      }
      return onComplete();
    },
  };
}
