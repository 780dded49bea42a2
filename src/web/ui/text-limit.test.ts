import { expect, test } from 'vitest';
import { isTextTooLong, getTooLongMessage } from './text-limit.tsx';

test('does not count surrounding whitespace towards the limit', () => {
  expect(isTextTooLong('a'.repeat(200), 200)).toBe(false);
  expect(isTextTooLong(`${'a'.repeat(200)}  \n`, 200)).toBe(false);
  expect(isTextTooLong('a'.repeat(201), 200)).toBe(true);
});

test('the message states the limit and by how much a text exceeds it', () => {
  expect(getTooLongMessage('a'.repeat(200), 200)).toBeNull();
  expect(getTooLongMessage('a'.repeat(201), 200)).toBe('1 character too long. The limit is 200.');
  expect(getTooLongMessage('a'.repeat(5_000), 2_000)).toBe('3,000 characters too long. The limit is 2,000.');
});
