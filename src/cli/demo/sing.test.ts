import { expect, test } from 'vitest';
import { LOUDEST, RATE, sing } from './sing.ts';
import { composeTune, lineStarts } from './tune.ts';

const TITLE = 'Mani Mantra Melody';
const samplesOf = (wav: Buffer) => new Int16Array(wav.buffer.slice(wav.byteOffset + 44));

test('the same title and voice sound the same, and others differ', () => {
  const melody = sing({ title: TITLE, seconds: 12 }, { name: 'teacher' });
  expect(sing({ title: TITLE, seconds: 12 }, { name: 'teacher' }).equals(melody)).toBe(true);
  expect(sing({ title: TITLE, seconds: 12 }, { name: 'student', wobble: 1 }).equals(melody)).toBe(false);
  expect(sing({ title: 'Dedication of Merit', seconds: 12 }, { name: 'teacher' }).equals(melody)).toBe(false);
});

test('a melody is as long as asked, loud enough to be heard, and never clips', () => {
  for (const voice of [
    { name: 'teacher', drone: true },
    { name: 'student', wobble: 1, transpose: 7 },
  ]) {
    const samples = samplesOf(sing({ title: TITLE, seconds: 14 }, voice));
    const seconds = samples.length / RATE;
    expect(seconds).toBeGreaterThan(12);
    expect(seconds).toBeLessThan(17);
    const loudest = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    expect(loudest).toBeLessThanOrEqual(Math.ceil(LOUDEST * 32_767));
    expect(loudest).toBeGreaterThan(0.6 * 32_767);
    const power = Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
    expect(power).toBeGreaterThan(0.04 * 32_767);
  }
});

test('a take may contain only the first phrases', () => {
  const whole = sing({ title: TITLE, seconds: 22 }, { name: 'student' });
  const part = sing({ title: TITLE, seconds: 22 }, { name: 'student' }, 2);
  expect(part.length).toBeLessThan(whole.length * 0.6);
  expect(part.length).toBeGreaterThan(8 * RATE * 2);
});

test('every tune stays between the low A and the high E, and ends on the tonic', () => {
  for (const title of ['Mani Mantra Melody', 'Refuge and Bodhicitta', 'Long Life Prayer', '༄༅།']) {
    const { phrases, tonic } = composeTune(title, 30);
    const pitches = phrases.flat().map((note) => note.pitch);
    expect(Math.min(...pitches)).toBeGreaterThanOrEqual(45);
    expect(Math.max(...pitches)).toBeLessThanOrEqual(64);
    expect(pitches.at(-1)).toBe(tonic);
  }
});

test('each line of the words begins with a breath of its own', () => {
  const tune = composeTune('Seven Line Prayer', 39, 8);
  expect(tune.phrases).toHaveLength(8);
  expect(lineStarts(tune, 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((line) => 0.35 + (line * 39) / 8));
  expect(lineStarts(composeTune(TITLE, 24), 1)).toEqual([0.35]);
});
