import { expect, test } from 'vitest';
import {
  composeSong,
  inventSinger,
  perform,
  RATE,
  wholeSong,
  type Manner,
  type Part,
} from '#testing/singing.ts';
import { featuresOf } from './features.ts';
import { findLines } from './find-lines.ts';

const song = composeSong('praise', { lines: 5 });
const whole = wholeSong(song);
const sungByTeacher = perform('melody', song, inventSinger('teacher'), whole);
const melody = featuresOf(sungByTeacher.sound, RATE);
// Text has a blank line after the second one.
const numberOf = (line: number) => (line < 2 ? line : line + 1);
const starts = sungByTeacher.lines.map(({ line, start }) => ({ line: numberOf(line), start }));

const sung = (parts: Part[], manner: Manner = {}, singer = 'student') =>
  perform('take', song, inventSinger(singer), parts, manner);

function expectFound({ sound, lines }: ReturnType<typeof sung>) {
  const sure = findLines(melody, starts, featuresOf(sound, RATE)).filter((line) => line.sure >= 0.5);
  expect(sure.map(({ line }) => line)).toEqual(lines.map(({ line }) => numberOf(line)));
  sure.forEach(({ start, end }, at) => {
    expect(start).toBeGreaterThan(lines[at]!.start - 0.25);
    expect(start).toBeLessThan(lines[at]!.start + 0.25);
    expect(end).toBeGreaterThan(start);
  });
}

test('every line is found in a take of another singer in another key', () => {
  expect(inventSinger('student').tonic / inventSinger('teacher').tonic).not.toBeCloseTo(1, 1);
  expectFound(sung(whole));
});

test('lines that are sung more slowly, with pauses, are found', () => {
  expectFound(
    sung(
      whole.map((part) => ({ ...part, pauseBefore: part.line === 3 ? 3 : 0 })),
      { tempo: 0.7, rubato: 0.5 },
    ),
  );
});

test('a line that is left out is not claimed, and one that is sung twice is found twice', () => {
  expectFound(sung([0, 2, 2, 3, 4].map((line) => ({ line }))));
});

test('a take that begins in the middle of a line is found', () => {
  const fromNote = Math.floor(song.lines[1]!.length / 2);
  expectFound(sung([{ line: 1, fromNote }, { line: 2 }, { line: 3 }]));
});

test('lines are found by their words when they are recited on one tone', () => {
  expectFound(sung(whole, { monotone: true }));
});

test('lines are found by their tune when they are hummed', () => {
  expectFound(sung(whole, { hummed: true }));
});

test('nothing is claimed of another melody', () => {
  const other = composeSong('lament', { lines: 5 });
  const { sound } = perform('take', other, inventSinger('student'), wholeSong(other));
  expect(findLines(melody, starts, featuresOf(sound, RATE)).filter(({ sure }) => sure >= 0.5)).toEqual([]);
});

test('nothing is claimed of silence, or of next to nothing', () => {
  expect(findLines(melody, starts, featuresOf(new Float32Array(20 * RATE), RATE))).toEqual([]);
  expect(findLines(melody, starts, featuresOf(new Float32Array(10), RATE))).toEqual([]);
  expect(findLines(melody, [], featuresOf(sungByTeacher.sound, RATE))).toEqual([]);
});

test('the sample rate makes no difference', () => {
  const { sound } = sung(whole.slice(0, 1));
  const doubled = Float32Array.from({ length: sound.length * 2 }, (_, at) => sound[at >> 1]!);
  const [one, other] = [featuresOf(sound, RATE), featuresOf(doubled, 2 * RATE)];
  expect(Math.abs(one.frames - other.frames)).toBeLessThanOrEqual(1);
  const differing = one.pitch.filter((cents, at) => Math.abs(cents - other.pitch[at]!) > 20);
  expect(differing.length / one.frames).toBeLessThan(0.03);
});
