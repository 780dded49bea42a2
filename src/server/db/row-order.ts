import { sql, type Column, type SQL } from 'drizzle-orm';

type Sorted = readonly (Column | SQL)[];
type Values = readonly (string | number | Date)[];

/**
 * Matches rows that come after the one with these values, in the order of these columns. An index on them is used.
 */
export const comesAfter = (columns: Sorted, values: Values) => sql`${row(columns)} > ${row(values)}`;

/** Like {@link comesAfter}, with all columns in descending order. */
export const comesAfterDescending = (columns: Sorted, values: Values) =>
  sql`${row(columns)} < ${row(values)}`;

const row = (parts: readonly unknown[]) =>
  sql`(${sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )})`;
