import { sql, type Column, type SQL } from 'drizzle-orm';

type SortColumns = readonly (Column | SQL)[];
type SortValues = readonly (string | number | Date)[];

/**
 * Matches rows that come after the row with these values, in the order of these columns. PostgreSQL can use an
 * index on these columns for this condition.
 */
export const isRowAfter = (columns: SortColumns, values: SortValues) =>
  sql`${toRow(columns)} > ${toRow(values)}`;

/** Like {@link isRowAfter}, with all columns in descending order. */
export const isRowAfterDescending = (columns: SortColumns, values: SortValues) =>
  sql`${toRow(columns)} < ${toRow(values)}`;

const toRow = (parts: readonly unknown[]) =>
  sql`(${sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )})`;
