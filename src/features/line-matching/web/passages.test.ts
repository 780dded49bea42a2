import { expect, test } from 'vitest';
import { getPlayableLines, getConfidentPassages } from './passages.ts';

const melody = {
  melodyText: 'bo: སངས་རྒྱས།\nph: Sangye\n\nbo: བྱང་ཆུབ།\nen: Enlightenment\n\nph: Untimed',
  audioUrl: 'song.wav',
  duration: 12,
};

test('returns the number, words and passage of each timed line', () => {
  const timings = [
    { line: 0, start: 2 },
    { line: 3, start: 7 },
  ];
  expect(getPlayableLines({ ...melody, timings })).toEqual([
    { line: 0, index: 0, words: 'Sangye', start: 2, end: 7 },
    { line: 3, index: 1, words: 'བྱང་ཆུབ།', start: 7, end: 13 },
  ]);
  // A timing may refer to another layer of the line.
  expect(getPlayableLines({ ...melody, timings: [{ line: 4, start: 2 }] })[0]?.line).toBe(4);
  expect(getPlayableLines({ ...melody, timings: null })).toEqual([]);
  expect(getPlayableLines({ ...melody, timings, audioUrl: null })).toEqual([]);
  expect(getPlayableLines({ ...melody, timings, melodyText: null })).toEqual([]);
});

test('a passage includes the breath after its line, but not a longer pause', () => {
  const found = [
    { line: 0, start: 1, end: 2, sure: 0.9 },
    { line: 3, start: 3.5, end: 5, sure: 0.2 },
    { line: 4, start: 8, end: 9, sure: 0.9 },
  ];
  expect([...getConfidentPassages(found)]).toEqual([
    [0, { start: 1, end: 3.5 }],
    [4, { start: 8, end: 9 }],
  ]);
});

test('skips lines with low confidence, and uses the last passage of a repeated line', () => {
  const found = [
    { line: 0, start: 1, end: 2, sure: 0.9 },
    { line: 0, start: 3, end: 4, sure: 0.8 },
    { line: 3, start: 4, end: 5, sure: 0.49 },
  ];
  expect([...getConfidentPassages(found)]).toEqual([[0, { start: 3, end: 4 }]]);
});
