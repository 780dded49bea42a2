const SECOND_MS = 1000;

/** Default HTTP limits. Maximum sizes of JSON bodies are in the contract. */
export const DEFAULT_HTTP_LIMITS = {
  /** Timeout for the request headers. */
  headersMs: 15 * SECOND_MS,
  /** Timeout for a body. Uploads and very long texts of signed-in users get more time. */
  bodyMs: 15 * SECOND_MS,
  /** Total timeout of an upload. 100 MB over a poor connection can take most of it. */
  uploadMs: 60 * 60 * SECOND_MS,
  /** Idle timeout of an upload, after which its sender counts as disconnected. */
  uploadIdleMs: 30 * SECOND_MS,
  /** Interval at which the rest of a request body is read after the response has been sent. */
  discardEachMs: SECOND_MS,
  /**
   * Maximum number of concurrent uploads per user, counted separately for forms with files and for chunks of
   * files.
   */
  formsAtOnce: 2,
  chunksAtOnce: 4,
  /**
   * Maximum number of queued uploads per user, counted separately for forms with files and for chunks. Their
   * bodies stay unread until it is their turn.
   */
  uploadsWaiting: 20,
  /**
   * Maximum numbers of concurrent and queued requests per user, not counting uploads, streams, and lists with
   * their own limit. A browser opens up to six connections.
   */
  requestsAtOnce: 6,
  requestsWaiting: 200,
  /**
   * Maximum time that an upload or another request waits in its queue. Long enough for a dead upload to time
   * out and make room, but less than the browser's timeout for a response (45 s, in
   * `web/uploads/upload-connection.ts`).
   */
  uploadWaitMs: 40 * SECOND_MS,
  /**
   * Maximum number of open connections per address. Enough for a retreat of 200 people behind one router, with
   * six connections each.
   */
  connections: 1500,
  /** Maximum number of connections without a request per address. Browsers open some in advance. */
  silentConnections: 200,
};

export type HttpLimits = typeof DEFAULT_HTTP_LIMITS;
