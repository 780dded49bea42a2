/**
 * Crockford's base 32, with five bits per character. Leaves out U and the letters that look like digits (I, L,
 * O).
 */
export const SIGN_IN_CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const SIGN_IN_CODE_LENGTH = 8;

/** Formats a code for reading aloud and typing: 'ABCD-EFGH'. */
export const formatSignInCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;

/**
 * Normalizes a typed code: converts it to upper case, removes hyphens and spaces, and reads O as 0, and I and L
 * as 1.
 */
export const normalizeSignInCode = (typed: string) =>
  typed
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
