import { expect, test } from 'vitest';
import { linesOfMelody, surePassages } from './passages.ts';

const melody = {
  melodyText: 'bo: སངས་རྒྱས།\nph: Sangye\n\nbo: བྱང་ཆུབ།\nen: Enlightenment\n\nph: Untimed',
  audioUrl: 'song.wav',
  duration: 12,
};

test('each line that has a time has its number, its words and its passage', () => {
  const timings = [
    { line: 0, start: 2 },
    { line: 3, start: 7 },
  ];
  expect(linesOfMelody({ ...melody, timings })).toEqual([
    { line: 0, index: 0, words: 'Sangye', start: 2, end: 7 },
    { line: 3, index: 1, words: 'བྱང་ཆུབ།', start: 7, end: 13 },
  ]);
  // A time that names another layer of the line.
  expect(linesOfMelody({ ...melody, timings: [{ line: 4, start: 2 }] })[0]?.line).toBe(4);
  expect(linesOfMelody({ ...melody, timings: null })).toEqual([]);
  expect(linesOfMelody({ ...melody, timings, audioUrl: null })).toEqual([]);
  expect(linesOfMelody({ ...melody, timings, melodyText: null })).toEqual([]);
});

test('a line is played with the breath after it, and not with what follows a longer pause', () => {
  const found = [
    { line: 0, start: 1, end: 2, sure: 0.9 },
    { line: 3, start: 3.5, end: 5, sure: 0.2 },
    { line: 4, start: 8, end: 9, sure: 0.9 },
  ];
  expect([...surePassages(found)]).toEqual([
    [0, { start: 1, end: 3.5 }],
    [4, { start: 8, end: 9 }],
  ]);
});

test('a guess is not played as a line, and of one that is sung twice the last is', () => {
  const found = [
    { line: 0, start: 1, end: 2, sure: 0.9 },
    { line: 0, start: 3, end: 4, sure: 0.8 },
    { line: 3, start: 4, end: 5, sure: 0.49 },
  ];
  expect([...surePassages(found)]).toEqual([[0, { start: 3, end: 4 }]]);
});
