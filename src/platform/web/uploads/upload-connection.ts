import { noAnswer } from '../call.ts';

/** Small enough to get through between two cuts of a poor connection; what the connection shows makes it larger or smaller. */
const FIRST_CHUNK = 256 * 1024;
const SMALLEST_CHUNK = 32 * 1024;
const LARGEST_CHUNK = 1024 * 1024;

/** What a chunk may take: longer ones break more often, and shorter ones wait more for their answers. */
const CHUNK_MS = 5_000;

/** A connection that is dead in the middle of a call does not say so: it is given up when nothing has moved for so long. */
const STALL_TIMEOUT_MS = 45_000;
/** The same when there is reason to think that the connection was away and is back. */
const SHORT_STALL_TIMEOUT_MS = 10_000;

/** What is known of the way to the server. It outlives a try, so that the next one begins with what has got through. */
export type UploadConnection = {
  /** Bytes that are worth sending at once. */
  chunkSize(): number;
  /** A chunk of so many bytes got through, in so many milliseconds. */
  succeeded(bytes: number, milliseconds: number): void;
  /** A chunk of so many bytes did not. @returns whether a smaller one is worth trying */
  failed(bytes: number): boolean;
  /**
   * Makes one call. It ends with `signal`, and when nothing of it moves any more.
   * @param make is given the signal, and what it calls when something of it has moved
   * @throws {CallError} as for a lost connection, when nothing moved any more
   */
  withStallTimeout<T>(
    signal: AbortSignal,
    make: (signal: AbortSignal, moved: () => void) => Promise<T>,
  ): Promise<T>;
  /** What is under way and stands still is given up sooner; what moves is left alone. */
  shortenStallTimeout(): void;
};

export function createUploadConnection(): UploadConnection {
  let size = FIRST_CHUNK;
  const pending = new Set<() => void>();

  return {
    chunkSize: () => size,

    succeeded(bytes, milliseconds) {
      // The rest of a file takes no time to speak of, and tells nothing.
      if (bytes < size) return;
      const fits = (bytes / milliseconds) * CHUNK_MS;
      size = clamped(Math.min(size * 2, fits));
    },

    failed(bytes) {
      size = clamped(Math.min(size, bytes) / 4);
      return bytes > SMALLEST_CHUNK;
    },

    async withStallTimeout(signal, make) {
      // One controller for both reasons: `AbortSignal.any` is missing before Safari 17.4 and Chrome 116.
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
      const hurry = () => {
        patience = SHORT_STALL_TIMEOUT_MS;
        watch();
      };
      pending.add(hurry);
      watch();
      if (signal.aborted) end();
      else signal.addEventListener('abort', end);
      try {
        return await make(ending.signal, moved);
      } catch (error) {
        throw isStill && !signal.aborted ? noAnswer() : error;
      } finally {
        clearTimeout(timer);
        pending.delete(hurry);
        signal.removeEventListener('abort', end);
      }
    },

    shortenStallTimeout: () => pending.forEach((each) => each()),
  };
}

/** What one file has shown of the connection serves the next, of whatever page. */
export const connectionOfTab = createUploadConnection();

function clamped(bytes: number) {
  return Math.round(Math.min(LARGEST_CHUNK, Math.max(SMALLEST_CHUNK, bytes)));
}
