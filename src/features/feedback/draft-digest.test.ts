import { expect, test } from 'vitest';
import type { Mark } from './contract.ts';
import { digestOf } from './draft-digest.ts';

const mark: Mark = { start: 1.5, end: null, text: 'softer', melodyAt: 3 };

test('a digest tells every part of a draft from another', () => {
  const drafts: { text: string; marks: Mark[] }[] = [
    { text: '', marks: [] },
    { text: 'ཀྱབ', marks: [] },
    { text: 'ཀྱབ ', marks: [] },
    { text: '', marks: [mark] },
    { text: '', marks: [mark, mark] },
    { text: '', marks: [{ ...mark, start: 1.6 }] },
    { text: '', marks: [{ ...mark, end: 2 }] },
    { text: '', marks: [{ ...mark, text: 'Softer' }] },
    { text: '', marks: [{ ...mark, melodyAt: null }] },
    { text: '', marks: [{ start: 1.5, end: null, text: 'softer' }] },
  ];
  const digests = drafts.map(digestOf);
  expect(new Set(digests).size).toBe(drafts.length);
  for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{16}$/);
});

test('many texts that differ in a letter have as many digests', () => {
  const digests = Array.from({ length: 20_000 }, (_, index) =>
    digestOf({ text: `Verse ${index}`, marks: [] }),
  );
  expect(new Set(digests).size).toBe(20_000);
});

test('the order in which a database keeps the names of a mark does not count', () => {
  const turned: Mark = { melodyAt: 3, text: 'softer', start: 1.5, end: null };
  expect(digestOf({ text: 'x', marks: [turned] })).toBe(digestOf({ text: 'x', marks: [mark] }));
});
