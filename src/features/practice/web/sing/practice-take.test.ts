import { expect, test } from 'vitest';
import { parseTakePassage, serializeTakePassage } from './practice-take.ts';

test('reads a stored passage, and returns null for invalid values', () => {
  const passage = { a: 1, b: 3.5, rate: 0.75, offset: 0.2 };
  expect(parseTakePassage({ sending: serializeTakePassage(passage) })).toEqual(passage);
  expect(parseTakePassage({ sending: null })).toBeNull();
  for (const wrong of [
    { a: 4 },
    { b: null },
    { rate: 0 },
    { rate: 100 },
    { offset: -1 },
    { offset: 'x' },
    { a: NaN },
  ])
    expect(parseTakePassage({ sending: { ...serializeTakePassage(passage), ...wrong } })).toBeNull();
});
