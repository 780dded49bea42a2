import { expect, test } from 'vitest';
import { describeContours } from './describe-contours.ts';

const texts = 'dak gi jin sok gyi pe sö nam kyi'.split(' ');
const syllables = texts.map((text, at) => ({ text, from: at * 5, to: at * 5 + 5 }));
/** Builds a contour from the pitch of each syllable in cents; null for a syllable without a tone. */
const contour = (...tones: (number | null)[]) =>
  Float32Array.from({ length: texts.length * 5 }, (_, at) => tones[Math.floor(at / 5)] ?? NaN);
const describePitch = (hers: Float32Array, mine: Float32Array) =>
  describeContours('Khandro-la', hers, mine, syllables);

const climbing = contour(0, 200, 200, 100, 100, 300, 500, 400, 0);

test('describes where the teacher’s line climbs and peaks, and compares the student’s', () => {
  const later = contour(0, 200, 200, 100, 100, 100, 300, 500, 0);
  expect(describePitch(climbing, later)).toEqual([
    'Khandro-la’s line climbs from “gyi” and is highest on “sö”.',
    'Yours climbs later and is highest on “nam”.',
  ]);
  expect(describePitch(later, climbing)[1]).toBe('Yours climbs sooner and is highest on “sö”.');
  expect(describePitch(climbing, climbing)[1]).toBe('Yours climbs and is highest on the same syllables.');
  const farther = contour(0, 200, 200, 100, 100, 300, 400, 500, 0);
  expect(describePitch(climbing, farther)[1]).toBe('Yours climbs from there too and is highest on “nam”.');
  // If two syllables are about equally high, the one where the teacher peaks counts as the highest.
  const level = contour(0, 200, 200, 100, 100, 300, 500, 520, 0);
  expect(describePitch(climbing, level)[1]).toBe('Yours climbs and is highest on the same syllables.');
  const fromAfar = contour(0, 0, 0, 0, 0, 0, 500, 400, 0);
  expect(describePitch(climbing, fromAfar)[1]).toBe('Yours climbs later and is highest there too.');
});

test('describes lines that fall from their beginning or stay on one tone', () => {
  const falling = contour(500, 400, 300, 200, 200, 100, 0, 0, 0);
  const level = contour(0, 20, 0, -20, 0, 30, 20, 0, 0);
  expect(describePitch(falling, level)).toEqual([
    'Khandro-la’s line is highest on “dak”, where it starts, and falls from there.',
    'Yours stays close to one note.',
  ]);
  expect(describePitch(level, level)).toEqual([
    'Khandro-la’s line stays close to one note.',
    'Yours stays close to one note too.',
  ]);
  expect(describePitch(falling, falling)[1]).toBe('Yours does the same.');
  expect(describePitch(level, climbing)[1]).toBe('Yours climbs from “gyi” and is highest on “sö”.');
  expect(describePitch(falling, climbing)[1]).toBe('Yours climbs from “gyi” and is highest on “sö”.');
});

test('does not call the student’s line the same if only the highest syllable matches', () => {
  const alreadyUp = contour(450, 450, 450, 450, 450, 450, 500, 300, 0);
  expect(describePitch(climbing, alreadyUp)[1]).toBe('Yours is highest there too.');
  const fallingFromSo = contour(null, null, null, null, null, null, 500, 300, 0);
  expect(describePitch(fallingFromSo, alreadyUp)[1]).toBe('Yours is highest there too.');
});

test('skips syllables without a tone', () => {
  const gaps = contour(0, null, 200, null, null, 300, 500, null, 0);
  const hardlyUp = contour(null, 60, 100, 0, 0, null, 0, 0, -60);
  expect(describePitch(gaps, hardlyUp)).toEqual([
    'Khandro-la’s line climbs from “dak” and is highest on “sö”.',
    'Yours is highest on “jin”.',
  ]);
});
