import { expect, test } from 'vitest';
import { CODE_ALPHABET, normalizeCode, formatCode } from './code.ts';

test('normalizes a code typed in lower case, with spaces or a hyphen, or with O for 0', () => {
  for (const typed of ['7KQ0-1M9X', '7kq0 1m9x', ' 7KQO–IM9X ', '7kqolm9x'])
    expect(normalizeCode(typed)).toBe('7KQ01M9X');
  expect(formatCode('7KQ01M9X')).toBe('7KQ0-1M9X');
});

test('each code character has five bits and is unambiguous', () => {
  expect(CODE_ALPHABET).toHaveLength(32);
  expect(new Set(CODE_ALPHABET).size).toBe(32);
  expect(normalizeCode(CODE_ALPHABET)).toBe(CODE_ALPHABET);
});
