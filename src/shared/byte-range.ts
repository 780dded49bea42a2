/** Bytes `start` to `end`, inclusive. */
export type ByteRange = { start: number; end: number };

/**
 * Parses a `Range` header (RFC 9110, section 14). Supports only a single range. Returns 'whole' without a
 * header, and for several ranges or a malformed header, as the RFC allows.
 * @returns the range, 'whole', or 'unsatisfiable' (416)
 */
export function parseByteRange(
  header: string | undefined,
  size: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const found = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '');
  if (!found) return 'whole';
  const [, first = '', last = ''] = found;
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const length = Number(last);
    return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, end };
}
