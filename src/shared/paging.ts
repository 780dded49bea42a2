// Lists that can grow are returned in pages. `Link` gives the next page by a cursor, the position of the last
// row, instead of an offset, because rows come and go between two pages.

/** Number of rows in the whole list; sent with each page. */
export const TOTAL_HEADER = 'x-total-count';

/** Most rows of any page. */
export const MAX_PAGE_SIZE = 200;
