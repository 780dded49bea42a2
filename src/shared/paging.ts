// Lists that can grow are answered a page at a time. `Link` names the next page by a cursor, where the last row stood,
// and never by how many rows came before: rows come and go between two pages.

/** How many rows the whole list has; with each of its pages. */
export const TOTAL_HEADER = 'x-total-count';

/** The most rows of any page. */
export const PAGE_MAX = 200;
