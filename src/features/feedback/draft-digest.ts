import type { Mark } from './contract.ts';

/**
 * What a draft says, in 16 letters: by it a browser names the draft that its own was written from. Worked out by both
 * sides, and at once, also on a page that is just being left and on one that is not secure: so none of the browser's
 * own digests. It tells texts of one teacher apart, and nothing hangs on it that somebody could gain by forging it.
 */
export function digestOf({ text, marks }: { text: string; marks: readonly Mark[] }): string {
  const told = JSON.stringify([text, marks.map(partsOf)]);
  return PRIMES.map((prime) => fnv(told, prime).toString(16).padStart(8, '0')).join('');
}

/** In an order of their own: a database keeps the names in another one. */
const partsOf = ({ start, end, text, melodyAt }: Mark) => [
  start,
  end,
  text,
  ...(melodyAt === undefined ? [] : [melodyAt]),
];

/** The multiplier of FNV-1a, and another one. */
const PRIMES = [16_777_619, 40_503_989];

function fnv(text: string, prime: number) {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), prime);
  return hash >>> 0;
}
