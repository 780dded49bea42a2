import { classifyError, createNoConnectionError } from '../api/call.ts';

/**
 * Size of the first chunk, small enough to get through between two interruptions of a poor connection. Later
 * sizes adapt to the connection.
 */
const INITIAL_CHUNK_BYTES = 256 * 1024;
const MIN_CHUNK_BYTES = 32 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;

/** Target duration of a chunk: longer ones are interrupted more often, shorter ones spend more time on round trips. */
const TARGET_CHUNK_MS = 5_000;

/** Time without progress after which a call is aborted, because a connection that dies gives no sign. */
const STALL_TIMEOUT_MS = 45_000;
/** Stall timeout that is used when the connection seems to have been lost and restored. */
const SHORT_STALL_TIMEOUT_MS = 10_000;

/**
 * Measurements of the connection to the server. They outlive an attempt, so that the next one begins with a
 * chunk size that worked.
 */
export type UploadConnection = {
  /** Returns the size of the next chunk, in bytes. */
  chunkSize(): number;
  /** Call this when a chunk has arrived. */
  succeeded(bytes: number, milliseconds: number): void;
  /** Call this when a chunk of `bytes` has failed. Returns whether a smaller chunk is worth trying. */
  failed(bytes: number): boolean;
  /**
   * Makes one call, which is aborted by `signal`, or when it stalls.
   * @param make receives a signal for the call, and a function to call at each sign of progress
   * @throws {CallError} the same error as for a lost connection, if the call has stalled
   */
  withStallTimeout<T>(
    signal: AbortSignal,
    make: (signal: AbortSignal, moved: () => void) => Promise<T>,
  ): Promise<T>;
  /** Aborts stalled calls sooner; calls that make progress continue. */
  shortenStallTimeout(): void;
};

export function createUploadConnection(): UploadConnection {
  let size = INITIAL_CHUNK_BYTES;
  const pending = new Set<() => void>();

  return {
    chunkSize: () => size,

    succeeded(bytes, milliseconds) {
      // Ignores the short last chunk of a file, because it takes too little time to measure.
      if (bytes < size) return;
      const fits = (bytes / milliseconds) * TARGET_CHUNK_MS;
      size = clampChunk(Math.min(size * 2, fits));
    },

    failed(bytes) {
      size = clampChunk(Math.min(size, bytes) / 4);
      return bytes > MIN_CHUNK_BYTES;
    },

    async withStallTimeout(signal, make) {
      // One controller for both reasons to abort, because `AbortSignal.any` is missing before Safari 17.4 and
      // Chrome 116.
      const ending = new AbortController();
      const end = () => ending.abort(signal.reason);
      let isStill = false;
      let movedAt = performance.now();
      let patience = STALL_TIMEOUT_MS;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const watch = () => {
        clearTimeout(timer);
        const left = movedAt + patience - performance.now();
        if (left > 0) timer = setTimeout(watch, left);
        else {
          isStill = true;
          ending.abort();
        }
      };
      const moved = () => {
        movedAt = performance.now();
        patience = STALL_TIMEOUT_MS;
      };
      const shortenTimeout = () => {
        patience = SHORT_STALL_TIMEOUT_MS;
        watch();
      };
      pending.add(shortenTimeout);
      watch();
      if (signal.aborted) end();
      else signal.addEventListener('abort', end);
      try {
        return await make(ending.signal, moved);
      } catch (error) {
        throw isStill && !signal.aborted && classifyError(error) === 'aborted'
          ? createNoConnectionError()
          : error;
      } finally {
        clearTimeout(timer);
        pending.delete(shortenTimeout);
        signal.removeEventListener('abort', end);
      }
    },

    shortenStallTimeout: () => pending.forEach((each) => each()),
  };
}

/** Shared by all pages of the tab, so that each upload starts from what the earlier ones have measured. */
export const tabUploadConnection = createUploadConnection();

function clampChunk(bytes: number) {
  return Math.round(Math.min(MAX_CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, bytes)));
}
