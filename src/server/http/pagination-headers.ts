import { TOTAL_COUNT_HEADER } from '#shared/paging.ts';
import type { RowPage } from '../db/page.ts';

/**
 * Returns the headers of a page of a list: the total number of rows, and a link to the next page if there is
 * one.
 * @param url path and query of the request; the link repeats them
 */
export function createPaginationHeaders(
  url: string,
  { total, next }: RowPage<unknown>,
): Record<string, string> {
  return {
    [TOTAL_COUNT_HEADER]: String(total),
    ...(next && { link: `<${getNextUrl(url, next)}>; rel="next"` }),
  };
}

function getNextUrl(url: string, next: object) {
  const [path = '', query] = url.split('?');
  const search = new URLSearchParams(query);
  for (const [name, value] of Object.entries(next))
    search.set(name, typeof value === 'number' ? String(value) : JSON.stringify(value));
  return `${path}?${search.toString()}`;
}
