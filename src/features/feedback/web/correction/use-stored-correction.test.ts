import { expect, test } from 'vitest';
import { serializeCorrection, getCorrectedAt, deserializeCorrection } from './use-stored-correction.ts';

const NOON = '2026-11-20T12:00:00.000Z';
const written = { text: 'Softer', marks: [] };

test('a stored correction keeps its basedOn across a reload', () => {
  for (const basedOn of ['', NOON]) {
    const begun = { written, basedOn };
    expect(deserializeCorrection(serializeCorrection(begun))).toEqual(begun);
  }
  expect([getCorrectedAt({ correctedAt: null }), getCorrectedAt({ correctedAt: NOON })]).toEqual(['', NOON]);
});
