/** More than the lists of a page, and few enough to keep in memory. */
const MOST = 30;

/**
 * The last responses by address, so that an unchanged one is not sent again: over a poor connection, that is most of
 * the wait. In memory only, because the browser's cache on disk outlives the session.
 */
export const knownAnswers = new Map<string, { etag: string; text: string }>();

/** @param etag null for a response without one */
export function keepAnswer(url: string, etag: string | null, text: string) {
  knownAnswers.delete(url);
  if (etag) knownAnswers.set(url, { etag, text });
  for (const oldest of knownAnswers.keys()) if (knownAnswers.size > MOST) knownAnswers.delete(oldest);
}
