import papaparse from 'papaparse';

export type CsvRow = (string | number | null)[];

/** Writes a table for spreadsheets, which recognise UTF-8 by the byte order mark. */
export const toCsv = (rows: readonly CsvRow[]) =>
  `\ufeff${papaparse.unparse(rows.map(disarmRow), { quotes: true, newline: '\r\n', escapeFormulae: STARTS_AS_FORMULA })}\r\n`;

/** Papa Parse's own pattern misses leading blanks, full-width signs and multi-line cells. */
const STARTS_AS_FORMULA = /^\s*[=+\-@＝＋－＠]/;

/**
 * A spreadsheet that splits at semicolons or tabs finds our quotes in the middle of a cell and ignores them. So
 * a cell of the spreadsheet may start in the middle of one of our cells, where Papa Parse escapes nothing.
 */
const FORMULA_INSIDE = /[;\t\r\n][^\S\t\r\n]*(?=[=+\-@＝＋－＠])/g;

const disarmRow = (row: CsvRow) =>
  row.map((value) => (typeof value === 'string' ? value.replaceAll(FORMULA_INSIDE, "$&'") : value));
