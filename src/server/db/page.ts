/** One page of a paginated list. */
export type RowPage<Row> = {
  rows: Row[];
  /** Number of rows in the whole list. */
  total: number;
  /** Query parameters of the next page; null on the last page. */
  next: PageCursor | null;
};

/**
 * Position in a list. In lists sorted by id, `before` is the id of the previous page's last row. In other
 * lists, `after` has the sort values of that row.
 */
export type PageCursor = { before: number } | { after: readonly (string | number | Date)[] };

/**
 * @param found the rows of the page, plus one row of the next page if there is one
 * @param cursorAt returns the cursor of a page that starts after this row
 */
export function paginate<Row>(
  found: Row[],
  size: number,
  total: number,
  cursorAt: (last: Row) => PageCursor,
): RowPage<Row> {
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  return { rows, total, next: last && found.length > size ? cursorAt(last) : null };
}

/** Returns a page of a list that is sorted by id, newest first. */
export const paginateById = <Row extends { id: number }>(
  found: Row[],
  size: number,
  total: number,
): RowPage<Row> => paginate(found, size, total, ({ id }) => ({ before: id }));
