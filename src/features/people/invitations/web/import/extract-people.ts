import { splitName } from '#shared/split-name.ts';
import { type ColumnMapping, isRepeatedHeadingRow } from './columns.ts';
import type { Table } from '#web/tables/table.ts';

export type ImportedPerson = {
  /** Row number in the spreadsheet, from 1. */
  row: number;
  email: string;
  firstName: string;
  /** Null if the person has a single name. */
  lastName: string | null;
  /** Level names in the person's row; absent if there are none. */
  levelNames?: readonly string[];
};

/**
 * Returns the people in a table. Skips the headings, rows above them, repeated headings, and rows without any
 * name or email.
 */
export function extractPeople(table: Table, { fields, headings }: ColumnMapping): ImportedPerson[] {
  const titles = headings === null ? [] : (table[headings] ?? []);
  const at = (row: readonly string[], field: ColumnMapping['fields'][number]) =>
    cleanCell(row[fields.indexOf(field)] ?? '');
  return table.flatMap((cells, index) => {
    if (index <= (headings ?? -1) || isRepeatedHeadingRow(cells, titles)) return [];
    const { email, name: nameBeside } = extractAddress(at(cells, 'email'));
    const [first, last, full] = [at(cells, 'firstName'), at(cells, 'lastName'), at(cells, 'fullName')];
    if (!email && !first && !last && !full) return [];
    const names =
      first && last
        ? { firstName: first, lastName: last }
        : splitName(reorderName(full || first || last || nameBeside));
    const levelNames = (cells[fields.indexOf('levels')] ?? '')
      .split(/[,;|\n]/)
      .map(cleanCell)
      .filter(Boolean);
    return [{ row: index + 1, email, ...names, ...(levelNames.length > 0 && { levelNames }) }];
  });
}

/**
 * Collapses all whitespace. Removes invisible characters, and the leading apostrophe that keeps a spreadsheet
 * from reading the cell as a formula.
 */
const cleanCell = (cell: string) =>
  cell
    .replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^'(?=.)/, '');

/** Turns 'Dolma, Tashi' into 'Tashi Dolma'. */
const reorderName = (name: string) => name.replace(/^([^,]+), ?([^,]+)$/, '$2 $1');

/**
 * Extracts the email in lower case, and a name if there is one, from 'Tashi Dolma <tashi@x.org>',
 * 'mailto:tashi@x.org' or a link formula. If the cell contains no email or several, the whole cell counts as
 * the email.
 */
function extractAddress(cell: string): { email: string; name: string } {
  const straight = cell.replaceAll('＠', '@').replaceAll(/\s*@\s*/g, '@');
  const inBrackets = /^(.*?)\s*<\s*([^<>\s]+@[^<>\s]+)\s*>[,;.]*$/.exec(straight);
  if (inBrackets) {
    const [, name = '', email = ''] = inBrackets;
    return { email: email.toLowerCase(), name: name.replaceAll(/^["']|["']$/g, '').trim() };
  }
  const addresses = straight.match(/[^\s,;"'<>()=:]+@[^\s,;"'<>()]+/g) ?? [];
  const [only] = new Set(addresses.map((address) => address.toLowerCase()));
  const isOne = only !== undefined && addresses.every((address) => address.toLowerCase() === only);
  return { email: isOne ? only.replace(/\.+$/, '') : straight.toLowerCase(), name: '' };
}
