const SECOND_MS = 1000;

/** What one client may take up. The size of JSON bodies is in the contract. */
export const HTTP_LIMITS = {
  /** Timeout for the request headers. */
  headersMs: 15 * SECOND_MS,
  /** Timeout for a body; uploads and very long texts of signed-in users get more. */
  bodyMs: 15 * SECOND_MS,
  /** Total timeout of an upload: 100 MB over a poor connection take long. */
  uploadMs: 60 * 60 * SECOND_MS,
  /** Idle timeout of an upload: its sender has lost the connection. */
  uploadIdleMs: 30 * SECOND_MS,
  /** How often a chunk is read from a body that was answered before its end. */
  discardEachMs: SECOND_MS,
  /** Forms of one user that are read or handled at once, and requests with chunks of files. */
  formsAtOnce: 2,
  chunksAtOnce: 4,
  /** How many more of one user may wait for that, unread … */
  uploadsWaiting: 20,
  /** Other requests of one user that are handled at once, and that wait. A browser has six connections. */
  requestsAtOnce: 6,
  requestsWaiting: 200,
  /**
   * … and for how long: long enough for a dead upload to time out and make room, but shorter than the browser waits for
   * a response (45 s, in `web/uploads/upload-connection.ts`).
   */
  uploadWaitMs: 40 * SECOND_MS,
  /** Open connections per address. A retreat of 200 people behind one router, six each, fits. */
  connections: 1500,
  /** Of these, connections without a request yet; browsers open some in advance. */
  silentConnections: 200,
};

export type HttpLimits = typeof HTTP_LIMITS;
