import { parse } from 'papaparse';
import type { Table } from './table.ts';

const SEPARATORS = ['\t', ';', ','];

/** Parses cells separated by commas, semicolons or tabs, whichever the text uses. */
export const parseTextTable = (text: string): Table =>
  parse<string[]>(text.replaceAll('\0', ''), { delimiter: detectSeparator(text) }).data;

/**
 * Returns the separator that occurs outside quotes in more than half of the rows; a comma if none does. A tab
 * takes precedence over a semicolon, and a semicolon over a comma, because semicolons and commas also occur
 * within cells, as in 'Dolma, Tashi'.
 */
function detectSeparator(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .replaceAll(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '');
  const rowsWith = (separator: string) => lines.filter((line) => line.includes(separator)).length;
  return SEPARATORS.find((separator) => rowsWith(separator) > lines.length / 2) ?? ',';
}
