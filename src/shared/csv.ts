import papaparse from 'papaparse';

export type Row = (string | number | null)[];

/** Writes a table for spreadsheets. They recognise UTF-8 by the byte order mark. */
export const csvOf = (rows: readonly Row[]) =>
  `\ufeff${papaparse.unparse(rows.map(disarmRow), { quotes: true, newline: '\r\n', escapeFormulae: STARTS_AS_FORMULA })}\r\n`;

/** Papa Parse's own pattern misses leading blanks, full-width signs and cells of several lines. */
const STARTS_AS_FORMULA = /^\s*[=+\-@＝＋－＠]/;

/**
 * A spreadsheet that splits at semicolons or tabs sees our quotes in the middle of its cells and ignores them. So a cell
 * of its own may start inside one of ours, where Papa Parse escapes nothing.
 */
const FORMULA_INSIDE = /[;\t\r\n][^\S\t\r\n]*(?=[=+\-@＝＋－＠])/g;

const disarmRow = (row: Row) =>
  row.map((value) => (typeof value === 'string' ? value.replaceAll(FORMULA_INSIDE, "$&'") : value));
