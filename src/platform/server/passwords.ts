import { hash, verify } from '@node-rs/argon2';
import { randomInt, randomUUID } from 'node:crypto';
import { concurrency } from './concurrency.ts';

/** OWASP's argon2id with headroom: 64 MiB and three passes, some 40 ms on a small server. */
const COST = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 };

/** Each hash holds 64 MiB for a while; a burst of sign-ins waits instead of filling the memory. */
const oneOfFew = concurrency(4);

export const hashPassword = (password: string): Promise<string> => oneOfFew(() => hash(password, COST));

/** The hash of a password that nobody has, so that an unknown name costs the same time as a known one. */
const nobodysHash = hash(randomUUID(), COST);

/** @param hashed null for a name that nobody has: false, after the same time */
export async function passwordMatches(password: string, hashed: string | null): Promise<boolean> {
  const against = hashed ?? (await nobodysHash);
  const matches = await oneOfFew(() => verify(against, password));
  return matches && hashed !== null;
}

const CONSONANTS = 'bdfghjkmnprstvz';
const VOWELS = 'aeiou';

/**
 * A password that reads well aloud: 'dakefo-muzari-tepogu-41'. Nine syllables of 75 and two digits of eight are 62
 * bits; letters and digits that are easily misheard or misread (c, l, q, w, 0, 1) are left out.
 */
export function generatePassword(): string {
  const word = () => syllable() + syllable() + syllable();
  const digit = () => String(randomInt(2, 10));
  return `${word()}-${word()}-${word()}-${digit()}${digit()}`;
}

const pick = (letters: string) => letters.charAt(randomInt(letters.length));
const syllable = () => pick(CONSONANTS) + pick(VOWELS);
