import { strFromU8, unzipSync } from 'fflate';
import { TableError, type Table } from './table.ts';

/**
 * Maximum unpacked size, because a small file may unpack to gigabytes. A table of a thousand people needs less.
 */
const MAX_UNPACKED_BYTES = 50 * 1024 * 1024;
const MAX_COLUMNS = 100;
const MAX_ROWS = 20_000;

/**
 * Reads the first visible sheet, up to MAX_ROWS and MAX_COLUMNS. Does not format dates and numbers, because a
 * table of names and email addresses has none.
 * @throws TableError if the file is damaged, protected, too large or has no readable sheet
 */
export function parseXlsx(bytes: Uint8Array): Table {
  const xml = unpackXlsx(bytes);
  const workbook = xml('xl/workbook.xml');
  const sheets = workbook ? findElements(workbook, 'sheet') : [];
  const sheet = sheets.find((each) => !each.getAttribute('state')?.includes('idden')) ?? sheets[0];
  const id = sheet && [...sheet.attributes].find(({ name }) => /(^|:)id$/.test(name))?.value;
  const relations = xml('xl/_rels/workbook.xml.rels');
  const target = relations
    ? findElements(relations, 'Relationship')
        .find((each) => each.getAttribute('Id') === id)
        ?.getAttribute('Target')
    : null;
  const cells = target ? xml(target.startsWith('/') ? target.slice(1) : `xl/${target}`) : null;
  if (!cells) throw new TableError('We couldn’t find a readable sheet in this file.');
  const strings = xml('xl/sharedStrings.xml');
  const shared = strings ? findElements(strings, 'si').map(getPlainText) : [];
  const table: Table = [];
  for (const row of findElements(cells, 'row')) {
    const at = Number(row.getAttribute('r') ?? table.length + 1) - 1;
    if (at >= MAX_ROWS) break;
    while (table.length <= at) table.push([]);
    table[at] = parseRow(row, shared);
  }
  return table;
}

function unpackXlsx(bytes: Uint8Array) {
  let size = 0;
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/^xl\/.*\.(xml|rels)$/.test(name)) return false;
        size += originalSize;
        if (size > MAX_UNPACKED_BYTES) throw new TableError('This file is too large.');
        return true;
      },
    });
    return (name: string) => {
      const file = files[name];
      return file ? new DOMParser().parseFromString(strFromU8(file), 'application/xml') : null;
    };
  } catch (error) {
    throw error instanceof TableError
      ? error
      : new TableError('This file is damaged or protected by a password.');
  }
}

function parseRow(row: Element, shared: readonly string[]): string[] {
  const cells: string[] = [];
  for (const cell of findElements(row, 'c')) {
    const column = parseColumn(cell.getAttribute('r')) ?? cells.length;
    if (column >= MAX_COLUMNS) continue;
    while (cells.length <= column) cells.push('');
    cells[column] = parseCell(cell, shared);
  }
  return cells;
}

function parseCell(cell: Element, shared: readonly string[]): string {
  const [value] = findElements(cell, 'v');
  const type = cell.getAttribute('t');
  if (type === 'inlineStr') return getPlainText(cell);
  if (type === 's') return shared[Number(value?.textContent)] ?? '';
  return type === 'e' ? '' : (value?.textContent ?? '');
}

/**
 * Returns the zero-based column of a cell reference, such as 2 for 'C7'; null if there is no valid reference.
 */
function parseColumn(reference: string | null): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0];
  if (!letters) return null;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Returns the text without phonetic guides, which Excel stores beside Chinese and Japanese text. */
const getPlainText = (element: Element) =>
  findElements(element, 't')
    .filter((each) => each.parentElement?.localName !== 'rPh')
    .map(({ textContent }) => textContent)
    .join('');

const findElements = (element: Element | Document, name: string) => [
  ...element.getElementsByTagNameNS('*', name),
];
