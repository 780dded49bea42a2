import { sql, type Column, type SQL } from 'drizzle-orm';

type Sorted = readonly (Column | SQL)[];
type Values = readonly (string | number | Date)[];

/** Whether a row comes after the one with these values, sorted by these columns. An index on them leads there. */
export const comesAfter = (columns: Sorted, values: Values) => sql`${row(columns)} > ${row(values)}`;

/** As {@link comesAfter}, where all columns are sorted in descending order. */
export const comesAfterDescending = (columns: Sorted, values: Values) =>
  sql`${row(columns)} < ${row(values)}`;

const row = (parts: readonly unknown[]) =>
  sql`(${sql.join(
    parts.map((part) => sql`${part}`),
    sql`, `,
  )})`;
