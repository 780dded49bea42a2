import { expect, test } from 'vitest';
import { inOrder, writtenFrom } from './marks.ts';

test('marks make a written feedback, a line for each', () => {
  const marks = inOrder([
    { start: 125.9, end: 131, text: ' Let the breath carry it. ' },
    { start: 42, end: null, text: 'Softer here' },
    { start: 3.2, end: null, text: '' },
  ]);
  expect(writtenFrom(marks)).toBe('0:03\n0:42 – Softer here\n2:05–2:11 – Let the breath carry it.');
});
