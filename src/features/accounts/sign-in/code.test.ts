import { expect, test } from 'vitest';
import { SIGN_IN_CODE_ALPHABET, normalizeSignInCode, formatSignInCode } from './sign-in-code.ts';

test('normalizes a code typed in lower case, with spaces or a hyphen, or with O for 0', () => {
  for (const typed of ['7KQ0-1M9X', '7kq0 1m9x', ' 7KQO–IM9X ', '7kqolm9x'])
    expect(normalizeSignInCode(typed)).toBe('7KQ01M9X');
  expect(formatSignInCode('7KQ01M9X')).toBe('7KQ0-1M9X');
});

test('the code alphabet has 32 different characters, all of them in normalized form', () => {
  expect(SIGN_IN_CODE_ALPHABET).toHaveLength(32);
  expect(new Set(SIGN_IN_CODE_ALPHABET).size).toBe(32);
  expect(normalizeSignInCode(SIGN_IN_CODE_ALPHABET)).toBe(SIGN_IN_CODE_ALPHABET);
});
