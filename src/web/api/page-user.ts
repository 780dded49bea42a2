import { pageData } from './page-data.ts';

let id = (pageData.answers['/api/user'] as { id: string } | null | undefined)?.id ?? null;

/**
 * Returns the id of the page's user; null while unknown and for a visitor. Every call sends the id, and the
 * server checks it.
 */
export const getPageUserId = (): string | null => id;

/** Sets the page's user once. It stays the same even after signing out, because signing in loads a new page. */
export function setPageUserId(userId: string) {
  id ??= userId;
}
