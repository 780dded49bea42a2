// Unbounded lists are returned in pages. The `Link` header contains a cursor: the sort keys of the page's
// last row. With an offset, rows would be skipped or repeated if others are added or removed between two
// requests.

/** Header with the number of rows in the whole list; sent with each page. */
export const TOTAL_COUNT_HEADER = 'x-total-count';

/** Maximum page size of any list. */
export const MAX_PAGE_SIZE = 200;
