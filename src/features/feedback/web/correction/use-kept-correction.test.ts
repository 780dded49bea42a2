import { expect, test } from 'vitest';
import { packedCorrection, stateOf, unpackedCorrection } from './use-kept-correction.ts';

const NOON = '2026-11-20T12:00:00.000Z';
const written = { text: 'Softer', marks: [] };

test('a stored correction keeps its basedOn across a reload', () => {
  for (const basedOn of ['', NOON]) {
    const begun = { written, basedOn };
    expect(unpackedCorrection(packedCorrection(begun))).toEqual(begun);
  }
  expect([stateOf({ correctedAt: null }), stateOf({ correctedAt: NOON })]).toEqual(['', NOON]);
});
