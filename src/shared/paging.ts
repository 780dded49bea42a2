// Lists that can grow are returned in pages. The `Link` header identifies the next page by a cursor, the
// position of the last row, instead of an offset, because rows may be added or removed between two requests.

/** Number of rows in the whole list; sent with each page. */
export const TOTAL_HEADER = 'x-total-count';

/** Maximum page size of any list. */
export const MAX_PAGE_SIZE = 200;
