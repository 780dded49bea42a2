import type { UploadSlot } from '#shared/media.ts';
import { callApi, CallError, createNoConnectionError } from '../api/call.ts';
import { isLostConnectionError } from './upload-failures.ts';
import { createUploadConnection, type UploadConnection } from './upload-connection.ts';

type Upload = {
  /** Identifies the upload; the same id resumes where an earlier upload stopped. */
  clientId: string;
  file: Blob;
  slot: UploadSlot['name'];
  signal: AbortSignal;
  /** Measurements of the connection from earlier uploads; this upload adds to them. */
  connection?: UploadConnection;
  /** Called with the fraction of the file's bytes that the server has confirmed, 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** Tests pass a fake. */
  call?: typeof callApi;
};

/**
 * Uploads a file chunk by chunk. Confirmed chunks stay on the server, so that after a failure the next call
 * sends only the rest.
 * @throws {CallError} if the server rejects the upload, the file can't be read, or not even a small chunk
 * gets through
 */
export async function uploadInChunks({
  clientId,
  file,
  slot,
  signal,
  connection = createUploadConnection(),
  onProgress = () => undefined,
  call = callApi,
}: Upload) {
  const params = { clientId };
  let received = await begin();
  onProgress(received / file.size);
  while (received < file.size) {
    const chunk = file.slice(received, received + connection.chunkSize());
    try {
      received = await send(chunk, received);
    } catch (error) {
      if (!isLostConnectionError(error) || signal.aborted) throw error;
      await assertReadable(chunk);
      if (!connection.failed(chunk.size)) throw error;
      received = await begin();
    }
    onProgress(received / file.size);
  }

  /** @returns how many bytes have arrived */
  async function send(bytes: Blob, start: number): Promise<number> {
    const began = performance.now();
    const answer = await connection.withStallTimeout(signal, (limit, moved) =>
      call('PATCH /api/uploads/{clientId}', {
        params,
        query: { start },
        bytes,
        signal: limit,
        onProgress: moved,
      }),
    );
    connection.succeeded(bytes.size, performance.now() - began);
    return arrivedOf(answer);
  }

  /** @returns how many bytes have arrived */
  async function begin(): Promise<number> {
    const body = { size: file.size, slot };
    const ask = () =>
      connection.withStallTimeout(signal, (limit) =>
        call('PUT /api/uploads/{clientId}', { params, body, signal: limit }),
      );
    try {
      return arrivedOf(await ask());
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 409) throw error;
      // Deletes the partial upload of a different file for which this id was used before.
      await connection.withStallTimeout(signal, (limit) =>
        call('DELETE /api/uploads/{clientId}', { params, signal: limit }),
      );
      return arrivedOf(await ask());
    }
  }

  /** @throws {CallError} the same error as for a lost connection, if the response is not from our server */
  function arrivedOf(answer: { received: number } | null): number {
    const received: unknown = answer?.received;
    if (typeof received === 'number' && received >= 0 && received <= file.size) return received;
    throw createNoConnectionError();
  }
}

const UNREADABLE = 'We can’t read this file any more. Please choose it again.';

/**
 * Throws a CallError with status 400 if the file can't be read. Without this check, a file that was moved or
 * changed after it was chosen would look like a lost connection.
 */
async function assertReadable(chunk: Blob) {
  try {
    await chunk.slice(0, 1).arrayBuffer();
  } catch {
    throw new CallError(400, JSON.stringify({ message: UNREADABLE }));
  }
}
