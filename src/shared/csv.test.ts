import { parse } from 'papaparse';
import { describe, expect, test } from 'vitest';
import { fc } from '#testing/properties.ts';
import { toCsv } from './csv.ts';

const cellsOf = (csv: string, delimiter: string, quoteChar = '"') =>
  parse<string[]>(csv, { delimiter, quoteChar, skipEmptyLines: true }).data;

test('a CSV file starts with a byte order mark and ends each row with CRLF', () => {
  expect(
    toCsv([
      ['Title', 'Seconds'],
      ['སྐྱབས་འགྲོ', 42],
    ]),
  ).toBe('\ufeff"Title","Seconds"\r\n"སྐྱབས་འགྲོ","42"\r\n');
});

test('writes null as an empty cell and numbers without changes', () => {
  expect(cellsOf(toCsv([['Melody', null, -1, '5 - 3 = 2']]), ',')).toEqual([
    ['Melody', '', '-1', '5 - 3 = 2'],
  ]);
});

test('cells with quotes, separators or line breaks are parsed back unchanged', () => {
  // Leaves out the characters that start a formula, because `toCsv` escapes them.
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r\n', '\t', ' ', 'a', 'ཀ', '\ufeff') }),
    fc.string({ unit: 'grapheme' }).map((any) => any.replaceAll(/[=+\-@＝＋－＠\0]/g, '')),
  );
  const comesBack = fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (cells) => {
    const row = ['Title', ...cells];
    expect(cellsOf(toCsv([row]).slice(1), ',')).toEqual([row]);
  });
  fc.assert(comesBack);
});

const NO_QUOTES = '\0';

const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\u00a0=1', '＝1', '=1\n+2'];

describe.each([
  ['commas', ',', '"'],
  ['semicolons', ';', '"'],
  ['tabs', '\t', '"'],
  // After a closing quote, Excel reads everything up to the separator literally, quotes included.
  ['semicolons, ignoring quotes', ';', NO_QUOTES],
  ['tabs, ignoring quotes', '\t', NO_QUOTES],
])('in a spreadsheet that splits at %s', (_, separator, quote) => {
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
  ])('no cell starts with a formula if %j is written', (typed) => {
    const table = cellsOf(
      toCsv([
        ['Melody', typed, 'Refuge'],
        [typed, typed],
      ]),
      separator,
      quote,
    );
    expect(table.flat().filter((cell) => /^[\s"]*[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
  });
});
