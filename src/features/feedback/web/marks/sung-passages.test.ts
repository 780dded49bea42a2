import { expect, test } from 'vitest';
import {
  findAdjacentPassageStart,
  isMarkLineGuessed,
  findLineOfMark,
  estimateMelodyTime,
  addMelodyTimes,
} from './mark-lines.ts';
import { getTimedLines } from '#features/melodies/timed-lines.ts';
import { getCurrentPassage, findPassageAt, findPassageOfMark, buildSungPassages } from './sung-passages.ts';

const melodyText = 'bo: སངས་རྒྱས།\nph: Sangye\nph: Jangchub\n\nen: Until awakening\nph: Soha';
const lines = getTimedLines({
  melodyText,
  timings: [
    { line: 0, start: 4 },
    { line: 2, start: 10 },
    { line: 4, start: 15 },
  ],
  audioUrl: 'song.mp3',
  duration: 30,
});
const buildFoundLine = (line: number, start: number, end: number, sure = 0.9) => ({ line, start, end, sure });
// Jangchub is sung twice, the second time with low confidence. The text has no line 77. Soha follows after a
// long pause.
const sung = buildSungPassages(melodyText, lines, [
  buildFoundLine(0, 1, 5),
  buildFoundLine(2, 6, 9),
  buildFoundLine(2, 9.5, 12, 0.4),
  buildFoundLine(77, 12, 13),
  buildFoundLine(4, 20, 24),
]);
const words = (passage: { melody: { words: string } } | null) => passage?.melody.words ?? null;

test('adds words to found lines, and omits lines that are no longer in the melody', () => {
  expect(
    sung.map(({ key, at, melody, start, end, isSure }) => [key, at, melody.words, start, end, isSure]),
  ).toEqual([
    // The passage includes the breath before the next line.
    ['0 1', 0, 'Sangye', 1, 6, true],
    ['2 1', 1, 'Jangchub', 6, 9.5, true],
    ['2 2', 2, 'Jangchub', 9.5, 12, false],
    ['4 1', 4, 'Soha', 20, 24, true],
  ]);
  expect([0.5, 1, 8, 10, 15, 24].map((second) => words(findPassageAt(sung, second)))).toEqual([
    null,
    'Sangye',
    'Jangchub',
    'Jangchub',
    null,
    null,
  ]);
});

test('the chosen passage stays current near its ends, and while it plays past its end', () => {
  const [, chosen, next] = sung;
  const at = (second: number, isPlayed: boolean) =>
    getCurrentPassage(sung, second, { key: chosen!.key, isPlayed })?.key;
  expect([at(5.6, false), at(9.9, false)]).toEqual([chosen!.key, chosen!.key]);
  expect(at(10.1, false)).toBe(next!.key);
  expect(at(11, true)).toBe(chosen!.key);
  expect(getCurrentPassage(sung, 10, { key: null, isPlayed: true })?.key).toBe(next!.key);
});

const mark = (start: number, end: number | null = null, melodyAt?: number | null) => ({
  start,
  end,
  text: '',
  ...(melodyAt === undefined ? {} : { melodyAt }),
});

test('a mark belongs to the line sung at its start, or for most of its passage', () => {
  expect(
    [mark(3), mark(5.8), mark(10), mark(17)].map((each) => words(findPassageOfMark(each, sung))),
  ).toEqual([
    'Sangye',
    // The mark is slightly before the line.
    'Jangchub',
    null,
    null,
  ]);
  expect(words(findPassageOfMark(mark(5, 8.5), sung))).toBe('Jangchub');
  // Most of the mark overlaps a line that was found with low confidence.
  expect(findPassageOfMark(mark(9, 12), sung)).toBeNull();
});

test('guesses the line of a mark from the last found line, and reports the guess', () => {
  const marks = [mark(7), mark(10), mark(13), mark(7, null, 15), mark(7, null, null)];
  expect(marks.map((each) => findLineOfMark(each, [], lines, sung)?.words ?? null)).toEqual([
    'Jangchub',
    // This mark is 4 s after the start of its line. The line starts at 10 s in the melody, so the estimated
    // position is 14 s.
    'Jangchub',
    'Soha',
    'Soha',
    null,
  ]);
  expect(marks.map((each) => isMarkLineGuessed(each, sung))).toEqual([false, true, true, false, false]);
  expect(estimateMelodyTime(mark(10), [], sung)).toBeCloseTo(14);
  // A choice by the teacher takes precedence if it is nearer to the mark than the found line.
  expect(estimateMelodyTime(mark(10), [mark(8, null, 4)], sung)).toBeCloseTo(6);
  expect(addMelodyTimes(marks, lines, sung).map(({ melodyAt }) => melodyAt)).toEqual([10, 15, 15, 15, null]);
});

test('finds where the next, current or previous line starts in the recording', () => {
  expect(findAdjacentPassageStart(0, 1, sung)).toBe(1);
  expect(findAdjacentPassageStart(1, 1, sung)).toBe(6);
  expect(findAdjacentPassageStart(6, 1, sung)).toBe(20);
  expect(findAdjacentPassageStart(21, 1, sung)).toBeNull();
  expect(findAdjacentPassageStart(8, -1, sung)).toBe(6);
  expect(findAdjacentPassageStart(6.5, -1, sung)).toBe(1);
  expect(findAdjacentPassageStart(1, -1, sung)).toBeNull();
});
