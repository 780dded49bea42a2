import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

const cell = (value: string | number | null) => csvOf([[value]]).slice(1, -2);

test('a table begins with the mark of UTF-8, and its rows end as spreadsheets expect', () => {
  expect(
    csvOf([
      ['Title', 'Seconds'],
      ['སྐྱབས་འགྲོ', 42],
    ]),
  ).toBe('\ufeff"Title","Seconds"\r\n"སྐྱབས་འགྲོ","42"\r\n');
});

test('quotes, commas and line ends stay in their cell', () => {
  expect(cell('a "b", c\nd')).toBe('"a ""b"", c\nd"');
  expect(cell(null)).toBe('""');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1'])('%j is no formula', (typed) =>
  expect(cell(typed)).toBe(`"'${typed}"`),
);

test('a number may be negative', () => expect(cell(-1)).toBe('"-1"'));
