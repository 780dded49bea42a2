/** Part of a list that can grow. */
export type Page<Row> = {
  rows: Row[];
  /** How many rows the whole list has. */
  total: number;
  /** The query parameters that lead to the next page; null after the last. */
  next: Cursor | null;
};

/** `before` is the id of the last row, in lists that are sorted by it; else `after` has what the last row is sorted by. */
export type Cursor = { before: number } | { after: readonly (string | number | Date)[] };

/**
 * @param found one row more than the page takes, if there are as many: it tells that there is a next page
 * @param cursorAt where the page after this row begins
 */
export function pageOf<Row>(
  found: Row[],
  size: number,
  total: number,
  cursorAt: (last: Row) => Cursor,
): Page<Row> {
  const rows = found.slice(0, size);
  const last = rows.at(-1);
  return { rows, total, next: last && found.length > size ? cursorAt(last) : null };
}

/** Of a list that is sorted by id, newest first. */
export const pageById = <Row extends { id: number }>(found: Row[], size: number, total: number): Page<Row> =>
  pageOf(found, size, total, ({ id }) => ({ before: id }));
