/**
 * Decodes a text file from a spreadsheet program. Guesses the encoding, because each program writes its own and
 * few declare it.
 */
export function decodeText(bytes: Uint8Array): string {
  const decoded = (encoding: string) => new TextDecoder(encoding).decode(bytes);
  // Recognizes UTF-16 by its byte order mark, which the decoder then removes.
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded('utf-16be');
  const zeros = countZeros(bytes);
  if (zeros.odd > zeros.of / 4) return decoded('utf-16le');
  if (zeros.even > zeros.of / 4) return decoded('utf-16be');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decoded('windows-1252');
  }
}

/**
 * Counts the zero bytes at even and at odd positions in the first 2,000 bytes of the file. `of` is the number
 * of positions of each kind. In UTF-16, every second byte of Latin letters is zero; other encodings have no
 * zero bytes.
 */
function countZeros(bytes: Uint8Array) {
  const start = bytes.subarray(0, 2_000);
  let [even, odd] = [0, 0];
  for (const [index, byte] of start.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  return { even, odd, of: start.length / 2 };
}
