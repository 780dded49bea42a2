import { expect, test } from 'vitest';
import { contourWords } from './contour-words.ts';

const texts = 'dak gi jin sok gyi pe sö nam kyi'.split(' ');
const syllables = texts.map((text, at) => ({ text, from: at * 5, to: at * 5 + 5 }));
/** Cents of each syllable; null for none. */
const contour = (...tones: (number | null)[]) =>
  Float32Array.from({ length: texts.length * 5 }, (_, at) => tones[Math.floor(at / 5)] ?? NaN);
const told = (hers: Float32Array, mine: Float32Array) => contourWords(hers, mine, syllables);

const climbing = contour(0, 200, 200, 100, 100, 300, 500, 400, 0);

test('where she climbs and is highest is said, and how one’s own is beside it', () => {
  const later = contour(0, 200, 200, 100, 100, 100, 300, 500, 0);
  expect(told(climbing, later)).toEqual([
    'Hers climbs from “gyi” and is highest on “sö”.',
    'Yours climbs later and is highest on “nam”.',
  ]);
  expect(told(later, climbing)[1]).toBe('Yours climbs sooner and is highest on “sö”.');
  expect(told(climbing, climbing)[1]).toBe('Yours climbs and is highest on the same syllables.');
  const farther = contour(0, 200, 200, 100, 100, 300, 400, 500, 0);
  expect(told(climbing, farther)[1]).toBe('Yours climbs from there too and is highest on “nam”.');
  // Of two on one level, hers.
  const level = contour(0, 200, 200, 100, 100, 300, 500, 520, 0);
  expect(told(climbing, level)[1]).toBe('Yours climbs and is highest on the same syllables.');
  const fromAfar = contour(0, 0, 0, 0, 0, 0, 500, 400, 0);
  expect(told(climbing, fromAfar)[1]).toBe('Yours climbs later and is highest there too.');
});

test('what falls from its beginning, or stays on one tone, is said so', () => {
  const falling = contour(500, 400, 300, 200, 200, 100, 0, 0, 0);
  const level = contour(0, 20, 0, -20, 0, 30, 20, 0, 0);
  expect(told(falling, level)).toEqual([
    'Hers is highest on “dak”, with which it begins, and falls from there.',
    'Yours stays nearly on one tone.',
  ]);
  expect(told(level, level)).toEqual([
    'Hers stays nearly on one tone.',
    'Yours stays nearly on one tone too.',
  ]);
  expect(told(falling, falling)[1]).toBe('Yours does the same.');
  expect(told(level, climbing)[1]).toBe('Yours climbs from “gyi” and is highest on “sö”.');
  expect(told(falling, climbing)[1]).toBe('Yours climbs from “gyi” and is highest on “sö”.');
});

test('syllables without a tone are passed over', () => {
  const gaps = contour(0, null, 200, null, null, 300, 500, null, 0);
  const hardlyUp = contour(null, 60, 100, 0, 0, null, 0, 0, -60);
  expect(told(gaps, hardlyUp)).toEqual([
    'Hers climbs from “dak” and is highest on “sö”.',
    'Yours is highest on “jin”.',
  ]);
});
