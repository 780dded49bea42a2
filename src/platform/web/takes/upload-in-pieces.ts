import { call as callApi, CallError } from '../call.ts';

/** Small enough to get through between two cuts of a poor line; larger while it goes well, smaller when not. */
const FIRST_PIECE = 256 * 1024;
const SMALLEST_PIECE = 32 * 1024;
const LARGEST_PIECE = 1024 * 1024;

/** A line that is dead in the middle of a call does not say so. */
const CALL_TIMEOUT_MS = 45_000;

type Upload = {
  /** Names the upload; the same again goes on where an earlier one stopped. */
  clientId: string;
  file: Blob;
  signal: AbortSignal;
  /** 0 to 1 of what the server has confirmed. */
  onProgress?: (fraction: number) => void;
  /** Tests bring their own. */
  call?: typeof callApi;
};

/**
 * Brings a file to the server piece by piece. What was confirmed stays there, so that after a failure the next call
 * sends only the rest.
 * @throws {CallError} when the server refuses it, or the line will not let even a small piece through
 */
export async function uploadInPieces({
  clientId,
  file,
  signal,
  onProgress = () => undefined,
  call = callApi,
}: Upload) {
  const params = { clientId };
  let pieceSize = FIRST_PIECE;
  let received = await begin();
  onProgress(received / file.size);
  while (received < file.size) {
    try {
      ({ received } = await call('PATCH /api/uploads/{clientId}', {
        params,
        query: { start: received },
        bytes: file.slice(received, received + pieceSize),
        signal: withinTime(signal),
      }));
      pieceSize = Math.min(LARGEST_PIECE, pieceSize * 2);
    } catch (error) {
      const isLine = !(error instanceof CallError) || error.status === 0;
      if (!isLine || pieceSize === SMALLEST_PIECE || signal.aborted) throw error;
      pieceSize = Math.max(SMALLEST_PIECE, pieceSize / 4);
      received = await begin();
    }
    onProgress(received / file.size);
  }

  /** @returns how many bytes have arrived */
  async function begin(): Promise<number> {
    const body = { size: file.size };
    const ask = () => call('PUT /api/uploads/{clientId}', { params, body, signal: withinTime(signal) });
    try {
      return (await ask()).received;
    } catch (error) {
      if (!(error instanceof CallError) || error.status !== 409) throw error;
      // Begun once with a file of another length: that one is of no use.
      await call('DELETE /api/uploads/{clientId}', { params, signal: withinTime(signal) });
      return (await ask()).received;
    }
  }
}

/** The signal of one call: it ends with `signal`, and when the line does not answer. */
export const withinTime = (signal: AbortSignal) =>
  AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
