import { expect, test } from 'vitest';
import { lineOfRemark, remarksByLine } from './remark-lines.ts';

const lines = [0, 1, 2, 3].map((line) => ({
  line,
  number: line + 1,
  words: `Line ${line}`,
  start: line * 10,
  end: line * 10 + 10,
}));
const found = [
  { line: 0, start: 1, end: 4, sure: 0.9 },
  { line: 1, start: 4, end: 8, sure: 0.9 },
  { line: 2, start: 8, end: 10, sure: 0.3 },
  { line: 1, start: 10, end: 14, sure: 0.9 },
];

test.each([
  ['lies in', { start: 5, end: null }, 1],
  ['lies in when it is sung again', { start: 13, end: 20 }, 1],
  ['lies in longer than in the one before', { start: 3.8, end: 6 }, 1],
  ['begins a moment after it', { start: 0.8, end: null }, 0],
  ['lies in, whatever line was reckoned from the pace', { start: 2, end: null, melodyAt: 12 }, 0],
  ['was chosen for it, where only a guess is found', { start: 9, end: null, melodyAt: 22 }, 2],
])('a remark stands at the line that it %s', (_, mark, line) => {
  expect(lineOfRemark(mark, found, lines)).toBe(line);
});

test.each([
  ['before the first', { start: 0.2, end: null }],
  ['at a guess', { start: 9, end: null }],
  ['after the last', { start: 15, end: 16 }],
  ['in a line, but the teacher has said that it is of none', { start: 5, end: null, melodyAt: null }],
])('a remark %s stands at no line', (_, mark) => {
  expect(lineOfRemark(mark, found, lines)).toBeNull();
});

test('the remarks of a line stay in their order', () => {
  const marks = [2, 5, 9, 3].map((start) => ({ start, end: null, text: `At ${start}` }));
  expect(
    [...remarksByLine(marks, found, lines)].map(([line, all]) => [line, all.map(({ text }) => text)]),
  ).toEqual([
    [0, ['At 2', 'At 3']],
    [1, ['At 5']],
  ]);
});
