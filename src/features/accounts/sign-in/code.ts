/** Crockford's base 32: no letter can be mistaken for a digit, and U is left out. Five bits each. */
export const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const CODE_LENGTH = 8;

/** Formats a code for reading aloud and typing: 'ABCD-EFGH'. */
export const formatCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;

/** Normalizes a typed code: any case, with or without the hyphen, an O for a zero, an I or L for a one. */
export const normalizeCode = (typed: string) =>
  typed
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
