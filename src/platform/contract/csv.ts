export type Row = (string | number | null)[];

/** A table that spreadsheets open with a double click: they know by its first character that it is UTF-8. */
export const csvOf = (rows: readonly Row[]) =>
  `\ufeff${rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;

/** A spreadsheet would run what begins so as a formula, also in quotes. */
const FORMULA = /^\s*[=+\-@＝＋－＠]/;

function cellOf(value: Row[number]): string {
  const text = String(value ?? '');
  const inert = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return `"${inert.replaceAll('"', '""')}"`;
}
