/** More than the lists of a page, and few enough to keep in memory. */
const MOST = 30;

type Known = { etag: string; text: string };

/**
 * The last answers by their addresses, so that an unchanged one need not come again: over a poor connection that is most
 * of the wait. Only in memory: what a browser keeps on disk outlives the session.
 */
export function knownAnswers(most = MOST) {
  const known = new Map<string, Known>();
  return {
    of: (url: string): Known | undefined => known.get(url),

    /** @param etag null for an answer that has none */
    keep(url: string, etag: string | null, text: string) {
      known.delete(url);
      if (etag === null) return;
      known.set(url, { etag, text });
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    },
  };
}
