import { parse } from 'papaparse';
import { describe, expect, test } from 'vitest';
import { csvOf } from './csv.ts';

const cellsOf = (csv: string, delimiter: string, quoteChar = '"') =>
  parse<string[]>(csv, { delimiter, quoteChar, skipEmptyLines: true }).data;

test('starts with a byte order mark and ends each row with CRLF', () => {
  expect(
    csvOf([
      ['Title', 'Seconds'],
      ['སྐྱབས་འགྲོ', 42],
    ]),
  ).toBe('\ufeff"Title","Seconds"\r\n"སྐྱབས་འགྲོ","42"\r\n');
});

test('keeps quotes, commas, semicolons and line breaks in their cell', () => {
  const row = ['a "b", c;\nd', '', '"', '5 - 3 = 2'];
  expect(cellsOf(csvOf([[...row, null, -1]]), ',')).toEqual([[...row, '', '-1']]);
});

const NO_QUOTES = '\0';

const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\u00a0=1', '＝1', '=1\n+2'];

describe.each([
  ['commas', ',', '"'],
  ['semicolons', ';', '"'],
  ['tabs', '\t', '"'],
  // Excel takes what follows a closing quote literally up to its separator, quotes included.
  ['semicolons, ignoring quotes', ';', NO_QUOTES],
  ['tabs, ignoring quotes', '\t', NO_QUOTES],
])('a spreadsheet that splits at %s', (_, separator, quote) => {
  test.each([
    ...FORMULAS,
    ...[
      'om;=1+1',
      'om; =1+1;',
      '";=1+1;"',
      '"";@SUM(A1)',
      'om\t-1',
      '"\t+1\t"',
      'om\n=1',
      'om;\t\n ＝1',
      '";"\r\n=1',
    ],
  ])('finds no formula in %j', (typed) => {
    const table = cellsOf(
      csvOf([
        ['Melody', typed, 'Refuge'],
        [typed, typed],
      ]),
      separator,
      quote,
    );
    expect(table.flat().filter((cell) => /^[\s"]*[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
  });
});
