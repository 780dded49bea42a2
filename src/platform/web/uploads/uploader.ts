import type { UploadSlot } from '../../contract/media.ts';
import { type call as callApi, CallError } from '../call.ts';
import type { UploadConnection } from './upload-connection.ts';
import { uploadInChunks } from './upload-in-chunks.ts';

export type FileToUpload = {
  /** Names the upload; the same again goes on where an earlier one stopped. */
  uploadId: string;
  blob: Blob;
  slot: UploadSlot['name'];
};

export type Delivery<T> = {
  /** Asked for when they are needed: they may lie on the device. */
  files: () => readonly FileToUpload[] | Promise<readonly FileToUpload[]>;
  /**
   * Makes something of the files once they have arrived.
   * @throws {CallError} 409 when one of them is not there
   */
  onComplete: () => Promise<T>;
  /** `onComplete` was called before, and its answer lost: it is asked first. */
  mayHaveArrived?: boolean;
  /** The server has said that it had not arrived. */
  onMissing?: () => Promise<unknown>;
  /** 0 to 1 of what the server has confirmed of all files. */
  onProgress?: (fraction: number) => void;
  signal: AbortSignal;
};

/** Brings files to the server, of whatever kind and from wherever: all that is uploaded goes this way. */
export function createUploader(options: {
  connection: UploadConnection;
  /** Tests bring their own. */
  call?: typeof callApi | undefined;
}) {
  const { connection, call } = options;

  return {
    /**
     * Makes one attempt. Whatever ends it, the next goes on where it stopped.
     * @returns what `onComplete` has made
     * @throws {CallError} when the server refuses something, or the connection will not let even a small chunk through
     */
    async deliver<T>({ files, onComplete, onMissing, onProgress, signal, ...more }: Delivery<T>): Promise<T> {
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
