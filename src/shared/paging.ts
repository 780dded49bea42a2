// Unbounded lists are returned in pages. The `Link` header contains a cursor, which is the position of the
// last row. An offset would skip or repeat rows that are added or removed between two requests.

/** Number of rows in the whole list; sent with each page. */
export const TOTAL_COUNT_HEADER = 'x-total-count';

/** Maximum page size of any list. */
export const MAX_PAGE_SIZE = 200;
