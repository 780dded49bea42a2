import { expect, test } from 'vitest';
import { extractFeatures } from '#features/line-matching/alignment/features.ts';
import {
  composeSong,
  inventSinger,
  renderPerformance,
  SINGING_SAMPLE_RATE,
  type SingingStyle,
} from '#testing/singing.ts';
import { compareContours } from './compare-contours.ts';
import { type LineFrames, toLineFrames } from './line-frames.ts';
import { findSyllableStarts } from './syllable-starts.ts';
import { computeLineWarp } from './warp-line.ts';

const FRAMES = 25;

const lines = Array.from({ length: 8 }, (_, at) => {
  const song = composeSong(`line ${at}`, { lines: 1 });
  const sung = (singer: string, manner: SingingStyle = {}) => {
    const { sound, lines } = renderPerformance(
      singer,
      song,
      inventSinger(`${singer} ${at}`),
      [{ line: 0 }],
      manner,
    );
    return { features: extractFeatures(sound, SINGING_SAMPLE_RATE), start: lines[0]!.start };
  };
  const notes = song.lines[0]!;
  const beats = notes.map((_, k) => notes.slice(0, k).reduce((sum, note) => sum + note.beats, 0));
  return { notes, sung, begins: beats.map((beat) => beat * song.secondsPerBeat) };
});

test('estimates where syllables begin, given only their number', () => {
  let near = 0;
  for (const { sung, notes, begins } of lines) {
    const { features, start } = sung('teacher');
    const first = features.pitch.findIndex((cents) => !Number.isNaN(cents)) / FRAMES - start;
    const found = findSyllableStarts(toLineFrames(features)!, notes.length)!;
    expect(found).toHaveLength(notes.length);
    near += found.filter((at, k) => Math.abs(at / FRAMES + first - begins[k]!) < 0.2).length;
  }
  expect(near / lines.flatMap(({ notes }) => notes).length).toBeGreaterThan(0.8);
});

test('aligns a line that is sung unevenly in another key with the teacher’s line', () => {
  let warped = 0;
  let even = 0;
  for (const { sung, notes } of lines) {
    const [teacher, student] = [
      sung('teacher').features,
      sung('student', { rubato: 1, tempo: 0.7 }).features,
    ];
    const [hers, mine] = [toLineFrames(teacher)!, toLineFrames(student)!];
    warped += apart(
      hers.cents,
      computeLineWarp(hers, mine).map((at) => mine.cents[Math.round(at)]!),
    );
    even += apart(hers.cents, atEvenPace(hers, mine));
    const contours = compareContours(teacher, student, notes.length)!;
    expect(contours.takeCents).toHaveLength(contours.melodyCents.length);
    // The contour is at the teacher's pitch, not an octave or a fifth away.
    expect(Math.abs(median(differences(contours.takeCents, contours.melodyCents)))).toBeLessThan(30);
  }
  expect(warped).toBeLessThan(0.75 * even);
});

test('returns null if no voice is detected', () => {
  const { features } = lines[0]!.sung('teacher');
  const silence = extractFeatures(new Float32Array(2 * SINGING_SAMPLE_RATE), SINGING_SAMPLE_RATE);
  expect(compareContours(features, silence, 5)).toBeNull();
  expect(compareContours(silence, features, 5)).toBeNull();
  expect(compareContours(features, extractFeatures(new Float32Array(3), SINGING_SAMPLE_RATE), 5)).toBeNull();
});

test('syllable starts are null for zero syllables or more than fit in the line', () => {
  const { features } = lines[0]!.sung('teacher');
  expect(compareContours(features, features, 500)?.syllables).toBeNull();
  expect(compareContours(features, features, 0)?.syllables).toBeNull();
});

const atEvenPace = (hers: LineFrames, mine: LineFrames) =>
  hers.cents.map((_, at) => mine.cents[Math.round((at / (hers.frames - 1)) * (mine.frames - 1))]!);

const differences = (one: Float32Array, other: Float32Array) =>
  [...one].map((cents, at) => cents - other[at]!).filter((cents) => !Number.isNaN(cents));

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Returns the mean distance in cents, without the difference in key. */
function apart(hers: Float32Array, mine: Float32Array): number {
  const all = differences(mine, hers);
  return all.reduce((sum, cents) => sum + Math.min(200, Math.abs(cents - median(all))), 0) / all.length;
}
