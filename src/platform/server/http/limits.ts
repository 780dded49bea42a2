const SECOND_MS = 1000;

/** What one client may take of the server. Bodies of JSON have their size in the contract. */
export const HTTP_LIMITS = {
  /** To send the headers of a request. */
  headersMs: 15 * SECOND_MS,
  /** To send a body; uploads and very long texts of people who are signed in have more. */
  bodyMs: 15 * SECOND_MS,
  /** For an upload in all: 100 MB over a poor connection take long. */
  uploadMs: 60 * 60 * SECOND_MS,
  /** An upload of which no byte comes for so long has lost its sender. */
  uploadIdleMs: 30 * SECOND_MS,
  /** A body that is answered before its end is read about so often from then on, a chunk at a time. */
  discardEachMs: SECOND_MS,
  /** Forms of one user that are read or handled at once, and requests with chunks of files. */
  formsAtOnce: 2,
  chunksAtOnce: 4,
  /** So many more of one user wait for that, unread … */
  uploadsWaiting: 20,
  /** Other requests of one user that are handled at once, and that wait. A browser has six connections. */
  requestsAtOnce: 6,
  requestsWaiting: 200,
  /**
   * … for so long: until an upload that has lost its sender is noticed and makes room, but not as long as the browser
   * waits for an answer (45 s, in `platform/web/uploads/upload-connection.ts`).
   */
  uploadWaitMs: 40 * SECOND_MS,
  /** Open connections of one address. A retreat of 200 people behind one router, six each, fits in. */
  connections: 1500,
  /** Of these, such that have sent no request yet; browsers open some in advance. */
  silentConnections: 200,
};

export type HttpLimits = typeof HTTP_LIMITS;
