import { sql, type Column, type SQL } from 'drizzle-orm';

type SortColumns = readonly (Column | SQL)[];
type SortValues = readonly (string | number | Date)[];

/**
 * Matches rows that come after the row with these values, in the order of these columns. PostgreSQL can use an
 * index on these columns for this condition.
 */
export const isAfter = (columns: SortColumns, values: SortValues) =>
  sql`${toRow(columns)} > ${toRow(values)}`;

/** Like {@link isAfter}, with all columns in descending order. */
export const isAfterDescending = (columns: SortColumns, values: SortValues) =>
  sql`${toRow(columns)} < ${toRow(values)}`;

const toRow = (parts: readonly unknown[]) =>
  sql`(${sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )})`;
