import { expect, test } from 'vitest';
import type { Melody } from '#features/melodies/contract.ts';
import { findListPosition } from './library-outcome.ts';

const at = (id: number, createdAt: string, audioUrl: string | null = 'a.mp3') =>
  ({ id, createdAt, audioUrl }) as Melody;

test('finds where a deleted melody was in the list, breaking ties by id', () => {
  const melodies = [at(9, '2026-03-01'), at(8, '2026-02-01'), at(6, '2026-02-01'), at(2, '2026-01-01')];
  expect(findListPosition(melodies, at(10, '2026-04-01'))).toBe(0);
  expect(findListPosition(melodies, at(7, '2026-02-01'))).toBe(2);
  expect(findListPosition(melodies, at(1, '2025-12-01'))).toBe(4);
  expect(findListPosition([], at(1, '2025-12-01'))).toBe(0);
});

test('places a melody without audio after all melodies with audio', () => {
  const melodies = [at(9, '2026-03-01'), at(2, '2026-01-01'), at(5, '2026-02-01', null)];
  expect(findListPosition(melodies, at(1, '2025-12-01'))).toBe(2);
  expect(findListPosition(melodies, at(6, '2026-02-02', null))).toBe(2);
  expect(findListPosition(melodies, at(4, '2026-01-02', null))).toBe(3);
});
