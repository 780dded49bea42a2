import { expect, test } from 'vitest';
import {
  findAdjacentLineStart,
  findLineAt,
  findLineOfMark,
  truncateWords,
  estimateMelodyTime,
  addMelodyTimes,
} from './mark-lines.ts';
import { getTimedLines } from '#features/melodies/timed-lines.ts';

const melody = {
  melodyText: 'bo: སངས་རྒྱས།\nph: Sangye\nph: Jangchub\n\nen: Until awakening\nph: Soha',
  timings: [
    { line: 0, start: 4.2 },
    { line: 2, start: 9.75 },
    { line: 4, start: 15 },
    { line: 77, start: 17 },
  ],
  audioUrl: 'song.mp3',
  duration: 30,
};
const lines = getTimedLines(melody);
const mark = (start: number, melodyAt?: number | null) => ({
  start,
  end: null,
  text: '',
  ...(melodyAt === undefined ? {} : { melodyAt }),
});
const words = (seconds: number) => findLineAt(lines, seconds)?.words ?? null;

test('a line lasts until the next line begins, and the last line until the melody ends', () => {
  expect(lines).toEqual([
    { index: 0, words: 'Sangye', start: 4.2, end: 9.75 },
    { index: 1, words: 'Jangchub', start: 9.75, end: 15 },
    { index: 2, words: 'Soha', start: 15, end: 31 },
  ]);
});

test.each([
  ['words', { melodyText: null }],
  ['times', { timings: null }],
  ['audio', { audioUrl: null }],
])('a melody without %s has no timed lines', (_, missing) => {
  expect(getTimedLines({ ...melody, ...missing })).toEqual([]);
});

test('finds the line sung at a given time in the melody', () => {
  expect([0, 3.8, 4.2, 9, 9.75, 30, 40].map(words)).toEqual([
    null,
    null,
    'Sangye',
    'Sangye',
    'Jangchub',
    'Soha',
    null,
  ]);
});

test('finds the line of a mark that is slightly before the line’s start', () => {
  expect(words(9.6)).toBe('Jangchub');
});

test('prefers the line that begins at the mark to a line that begins just after it', () => {
  const close = [
    { index: 0, words: 'one', start: 1, end: 1.2 },
    { index: 1, words: 'two', start: 1.2, end: 5 },
  ];
  expect(findLineAt(close, 1)?.words).toBe('one');
});

test('uses the recording time as melody time if no earlier mark has a chosen line', () => {
  expect(estimateMelodyTime(mark(12), [mark(3), mark(12)])).toBe(12);
});

test('a chosen line shifts the suggestions for later marks, but not for earlier marks', () => {
  const marks = [mark(1), mark(2, 9.75), mark(7.5), mark(9)];
  expect(marks.map((each) => findLineOfMark(each, marks, lines)?.words ?? null)).toEqual([
    null,
    'Jangchub',
    'Soha',
    'Soha',
  ]);
});

test('estimates a melody time from the nearest earlier mark with a chosen line', () => {
  const marks = [mark(20, 4.2), mark(2, 15), mark(22)];
  expect(estimateMelodyTime(marks[2]!, marks)).toBeCloseTo(6.2);
});

test('a mark set to no line has no line and does not affect estimates', () => {
  const marks = [mark(5, null), mark(10)];
  expect(findLineOfMark(marks[0]!, marks, lines)).toBeNull();
  expect(estimateMelodyTime(marks[1]!, marks)).toBe(10);
});

test('adds suggested melody times to marks, unless the melody has no timed lines', () => {
  const marks = [mark(0), mark(10), mark(12, 4.2), mark(14, null)];
  expect(addMelodyTimes(marks, lines).map(({ melodyAt }) => melodyAt)).toEqual([null, 9.75, 4.2, null]);
  expect(addMelodyTimes(marks, [])).toEqual(marks);
});

test('truncates long lines without splitting a Tibetan stack', () => {
  expect(truncateWords('Om mani padme hung')).toBe('Om mani padme hung');
  expect(truncateWords('a'.repeat(60))).toBe(`${'a'.repeat(55)}…`);
  const stack = 'སྒྲུ';
  expect(truncateWords(stack.repeat(70))).toBe(`${stack.repeat(55)}…`);
});

test('estimates where the next, current or previous line starts in the recording', () => {
  expect(findAdjacentLineStart(0, 1, [], lines)).toBeCloseTo(4.2);
  expect(findAdjacentLineStart(4.2, 1, [], lines)).toBeCloseTo(9.75);
  expect(findAdjacentLineStart(16, 1, [], lines)).toBe(null);
  expect(findAdjacentLineStart(8, -1, [], lines)).toBeCloseTo(4.2);
  expect(findAdjacentLineStart(10, -1, [], lines)).toBeCloseTo(4.2);
  expect(findAdjacentLineStart(2, -1, [], lines)).toBe(null);
  // The student sings the line three seconds later than the melody does.
  expect(findAdjacentLineStart(8, 1, [mark(7.2, 4.2)], lines)).toBeCloseTo(12.75);
});
