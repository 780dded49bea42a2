import papaparse from 'papaparse';

export type CsvRow = (string | number | null)[];

/**
 * Formats a table as CSV for spreadsheets, and escapes formulas. Begins with a byte order mark, so that
 * spreadsheets recognize UTF-8.
 */
export const toCsv = (rows: readonly CsvRow[]) =>
  `\ufeff${papaparse.unparse(rows.map(disarmRow), { quotes: true, newline: '\r\n', escapeFormulae: STARTS_AS_FORMULA })}\r\n`;

/**
 * Matches a cell that a spreadsheet reads as a formula. Papa Parse's own pattern misses leading blanks,
 * full-width signs and multi-line cells.
 */
const STARTS_AS_FORMULA = /^\s*[=+\-@＝＋－＠]/;

/**
 * Matches the places within a cell where a formula could start. A spreadsheet that splits at semicolons or
 * tabs instead of commas may start one of its cells in the middle of one of ours, where Papa Parse does not
 * escape formulas.
 */
const FORMULA_INSIDE = /[;\t\r\n][^\S\t\r\n]*(?=[=+\-@＝＋－＠])/g;

const disarmRow = (row: CsvRow) =>
  row.map((value) => (typeof value === 'string' ? value.replaceAll(FORMULA_INSIDE, "$&'") : value));
