const SECOND_MS = 1000;

/** Limits for one client. The size of JSON bodies is in the contract. */
export const DEFAULT_HTTP_LIMITS = {
  /** Timeout for the request headers. */
  headersMs: 15 * SECOND_MS,
  /** Timeout for a body. Uploads and very long texts of signed-in users get more time. */
  bodyMs: 15 * SECOND_MS,
  /** Total timeout of an upload: 100 MB over a poor connection take long. */
  uploadMs: 60 * 60 * SECOND_MS,
  /** Idle timeout of an upload, after which its sender counts as disconnected. */
  uploadIdleMs: 30 * SECOND_MS,
  /** Interval for reading a chunk from a body that was answered before its end. */
  discardEachMs: SECOND_MS,
  /** Concurrent forms of one user, and concurrent requests of one user with chunks of files. */
  formsAtOnce: 2,
  chunksAtOnce: 4,
  /** Maximum number of further ones per user that wait, unread … */
  uploadsWaiting: 20,
  /** Concurrent other requests of one user, and how many more may wait. A browser has six connections. */
  requestsAtOnce: 6,
  requestsWaiting: 200,
  /**
   * … and how long they wait: long enough for a dead upload to time out and make room, but shorter than the browser
   * waits for a response (45 s, in `web/uploads/upload-connection.ts`).
   */
  uploadWaitMs: 40 * SECOND_MS,
  /** Open connections per address. This is enough for a retreat of 200 people behind one router, six each. */
  connections: 1500,
  /** Maximum number of these without a request yet. Browsers open some in advance. */
  silentConnections: 200,
};

export type HttpLimits = typeof DEFAULT_HTTP_LIMITS;
