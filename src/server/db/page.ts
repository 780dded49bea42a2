/** One page of a list that can grow. */
export type Page<Row> = {
  rows: Row[];
  /** Number of rows in the whole list. */
  total: number;
  /** Query parameters of the next page; null on the last page. */
  next: Cursor | null;
};

/**
 * `before` is the id of the last row, in lists sorted by id. In others, `after` has the values that the last row is
 * sorted by.
 */
export type Cursor = { before: number } | { after: readonly (string | number | Date)[] };

/**
 * @param found up to one row more than fits on the page; the additional row shows that there is a next page
 * @param cursorAt returns the cursor of the page after this row
 */
export function createPage<Row>(
  found: Row[],
  size: number,
  total: number,
  cursorAt: (last: Row) => Cursor,
): Page<Row> {
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  return { rows, total, next: last && found.length > size ? cursorAt(last) : null };
}

/** Returns a page of a list that is sorted by id, newest first. */
export const createPageById = <Row extends { id: number }>(
  found: Row[],
  size: number,
  total: number,
): Page<Row> => createPage(found, size, total, ({ id }) => ({ before: id }));
