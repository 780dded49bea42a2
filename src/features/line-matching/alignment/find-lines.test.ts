import { expect, test } from 'vitest';
import {
  composeSong,
  inventSinger,
  renderPerformance,
  SINGING_SAMPLE_RATE,
  getAllParts,
  type SingingStyle,
  type SungPart,
} from '#testing/singing.ts';
import { extractFeatures } from './features.ts';
import { findLines } from './find-lines.ts';

const song = composeSong('praise', { lines: 5 });
const whole = getAllParts(song);
const sungByTeacher = renderPerformance('melody', song, inventSinger('teacher'), whole);
const melody = extractFeatures(sungByTeacher.sound, SINGING_SAMPLE_RATE);
// The text has a blank line after the second line.
const numberOf = (line: number) => (line < 2 ? line : line + 1);
const starts = sungByTeacher.lines.map(({ line, start }) => ({ line: numberOf(line), start }));

const renderTake = (parts: SungPart[], manner: SingingStyle = {}, singer = 'student') =>
  renderPerformance('take', song, inventSinger(singer), parts, manner);

function expectFound(
  { sound, lines }: ReturnType<typeof renderTake>,
  options?: Parameters<typeof findLines>[3],
) {
  const take = extractFeatures(sound, SINGING_SAMPLE_RATE);
  const sure = findLines(melody, starts, take, options).filter((line) => line.sure >= 0.5);
  expect(sure.map(({ line }) => line)).toEqual(lines.map(({ line }) => numberOf(line)));
  sure.forEach(({ start, end }, at) => {
    expect(start).toBeGreaterThan(lines[at]!.start - 0.25);
    expect(start).toBeLessThan(lines[at]!.start + 0.25);
    expect(end).toBeGreaterThan(start);
  });
}

test('finds every line in a take by another singer in another key', () => {
  expect(inventSinger('student').tonic / inventSinger('teacher').tonic).not.toBeCloseTo(1, 1);
  expectFound(renderTake(whole));
});

test('finds lines that are sung more slowly and with pauses', () => {
  expectFound(
    renderTake(
      whole.map((part) => ({ ...part, pauseBefore: part.line === 3 ? 3 : 0 })),
      { tempo: 0.7, rubato: 0.5 },
    ),
  );
});

test('finds a repeated line twice and does not find a skipped line', () => {
  expectFound(renderTake([0, 2, 2, 3, 4].map((line) => ({ line }))));
});

test('finds the lines of a take that begins in the middle of a line', () => {
  const fromNote = Math.floor(song.lines[1]!.length / 2);
  expectFound(renderTake([{ line: 1, fromNote }, { line: 2 }, { line: 3 }]));
});

test('finds recited lines by their words', () => {
  expectFound(renderTake(whole, { monotone: true }));
});

test('finds hummed lines by their tune', () => {
  expectFound(renderTake(whole, { hummed: true }));
});

test('finds hummed lines by their tune while the key falls, with merged frames', () => {
  expectFound(renderTake(whole, { hummed: true, drift: -400 }), { cells: 1 });
});

test('finds nothing in a take of another melody', () => {
  const other = composeSong('lament', { lines: 5 });
  const { sound } = renderPerformance('take', other, inventSinger('student'), getAllParts(other));
  expect(
    findLines(melody, starts, extractFeatures(sound, SINGING_SAMPLE_RATE)).filter(({ sure }) => sure >= 0.5),
  ).toEqual([]);
});

test('finds nothing in silence, in a fraction of a second of audio, or without timings', () => {
  expect(
    findLines(
      melody,
      starts,
      extractFeatures(new Float32Array(20 * SINGING_SAMPLE_RATE), SINGING_SAMPLE_RATE),
    ),
  ).toEqual([]);
  expect(findLines(melody, starts, extractFeatures(new Float32Array(10), SINGING_SAMPLE_RATE))).toEqual([]);
  expect(findLines(melody, [], extractFeatures(sungByTeacher.sound, SINGING_SAMPLE_RATE))).toEqual([]);
});

test('extracts nearly the same features at twice the sample rate', () => {
  const { sound } = renderTake(whole.slice(0, 1));
  const doubled = Float32Array.from({ length: sound.length * 2 }, (_, at) => sound[at >> 1]!);
  const [one, other] = [
    extractFeatures(sound, SINGING_SAMPLE_RATE),
    extractFeatures(doubled, 2 * SINGING_SAMPLE_RATE),
  ];
  expect(Math.abs(one.frames - other.frames)).toBeLessThanOrEqual(1);
  const differing = one.pitch.filter((cents, at) => Math.abs(cents - other.pitch[at]!) > 20);
  expect(differing.length / one.frames).toBeLessThan(0.03);
});
