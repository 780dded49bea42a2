import { expect, test } from 'vitest';
import { buildSungPassages } from '#features/feedback/web/marks/sung-passages.ts';
import { groupMarksByLine } from './group-marks-by-line.ts';

const melodyText = 'Line 0\nLine 1\nLine 2\nLine 3';
const lines = [0, 1, 2, 3].map((line) => ({
  ...{ line, index: line, words: `Line ${line}` },
  ...{ start: line * 10, end: line * 10 + 10 },
}));
const sung = buildSungPassages(melodyText, lines, [
  { line: 0, start: 1, end: 4, sure: 0.9 },
  { line: 1, start: 4, end: 8, sure: 0.9 },
  { line: 2, start: 8, end: 10, sure: 0.3 },
  { line: 1, start: 10, end: 14, sure: 0.9 },
]);
const linesOf = (...marks: { start: number; end: number | null; melodyAt?: number | null }[]) => {
  const said = marks.map((mark) => ({ ...mark, text: `At ${mark.start}` }));
  return [...groupMarksByLine(said, lines, sung)].map(([line, all]) => [
    line,
    ...all.map(({ text }) => text),
  ]);
};

test.each([
  ['the teacher chose, even if another line is sung there', { start: 2, end: null, melodyAt: 12 }, 1],
  ['the teacher chose, even if the match is only a guess', { start: 9, end: null, melodyAt: 22 }, 2],
  ['is sung at the mark’s time', { start: 5, end: null }, 1],
  ['is sung again at the mark’s time', { start: 12, end: null }, 1],
  ['begins a moment after the mark', { start: 0.8, end: null }, 0],
])('shows a mark at the line that %s', (_, mark, line) => {
  expect(linesOf(mark)).toEqual([[line, `At ${mark.start}`]]);
});

test.each([
  ['before the first line', { start: 0.2, end: null }],
  ['at a line that is only a guess', { start: 9, end: null }],
  ['after the last line', { start: 15, end: 16 }],
  ['that the teacher assigned to no line', { start: 5, end: null, melodyAt: null }],
])('leaves out a mark %s', (_, mark) => {
  expect(linesOf(mark)).toEqual([]);
});

test('lists the marks on a line in their original order', () => {
  expect(linesOf(...[2, 5, 9, 3].map((start) => ({ start, end: null })))).toEqual([
    [0, 'At 2', 'At 3'],
    [1, 'At 5'],
  ]);
});
