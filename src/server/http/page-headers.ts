import { TOTAL_HEADER } from '#shared/paging.ts';
import type { Page } from '../db/page.ts';

/**
 * @param url the request's path and query: the next page is of the same list, search or selection
 * @returns the headers of a page: how many rows the list has, and a link to the next page if there is one
 */
export function pageHeaders(url: string, { total, next }: Page<unknown>): Record<string, string> {
  return { [TOTAL_HEADER]: String(total), ...(next && { link: `<${nextUrl(url, next)}>; rel="next"` }) };
}

function nextUrl(url: string, next: object) {
  const [path = '', query] = url.split('?');
  const search = new URLSearchParams(query);
  for (const [name, value] of Object.entries(next))
    search.set(name, typeof value === 'number' ? String(value) : JSON.stringify(value));
  return `${path}?${search.toString()}`;
}
