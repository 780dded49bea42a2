import { splitName } from '#shared/split-name.ts';
import { type Columns, repeatsHeadings } from './columns.ts';
import type { Table } from '#web/tables/table.ts';

export type Person = {
  /** The number of the row, as the spreadsheet counts it. */
  row: number;
  email: string;
  firstName: string;
  /** Null for a single name. */
  lastName: string | null;
  /** The levels that the table names for this person; absent where it names none. */
  levelNames?: readonly string[];
};

/** Those whom a table names; rows in which nobody is named are left out. */
export function peopleIn(table: Table, { fields, headings }: Columns): Person[] {
  const titles = headings === null ? [] : (table[headings] ?? []);
  const at = (row: readonly string[], field: Columns['fields'][number]) =>
    tidy(row[fields.indexOf(field)] ?? '');
  return table.flatMap((cells, index) => {
    if (index <= (headings ?? -1) || repeatsHeadings(cells, titles)) return [];
    const { email, name: nameBeside } = addressIn(at(cells, 'email'));
    const [first, last, full] = [at(cells, 'firstName'), at(cells, 'lastName'), at(cells, 'fullName')];
    if (!email && !first && !last && !full) return [];
    const names =
      first && last
        ? { firstName: first, lastName: last }
        : splitName(inOrder(full || first || last || nameBeside));
    const levelNames = (cells[fields.indexOf('levels')] ?? '')
      .split(/[,;|\n]/)
      .map(tidy)
      .filter(Boolean);
    return [{ row: index + 1, email, ...names, ...(levelNames.length > 0 && { levelNames }) }];
  });
}

/** Spaces of every kind become one; what can't be seen goes, and so does the mark that keeps a cell from being a formula. */
const tidy = (cell: string) =>
  cell
    .replaceAll(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^'(?=.)/, '');

/** 'Dolma, Tashi' is Tashi Dolma. */
const inOrder = (name: string) => name.replace(/^([^,]+), ?([^,]+)$/, '$2 $1');

/** 'Tashi Dolma <tashi@x.org>', 'mailto:tashi@x.org' or the formula of a link; else the cell as it is. */
function addressIn(cell: string): { email: string; name: string } {
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
