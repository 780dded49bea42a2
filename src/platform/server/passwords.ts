import { hash, verify } from '@node-rs/argon2';
import { randomInt, randomUUID } from 'node:crypto';
import { fairQueue, type Turn } from './fair-queue.ts';
import { network } from './network.ts';

/** OWASP's argon2id with headroom: 64 MiB and three passes, some 40 ms on a small server. */
const COST = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 };

/**
 * Each hash holds 64 MiB and a core for a while: a burst of sign-ins waits instead of filling both. More at once would
 * take all four threads that Node also reads files with.
 */
const queue = fairQueue({ atOnce: 2, waiting: 400 });

/** Passwords that are made here, one after the other, however many people a teacher invites. */
const OURS: Turn = { account: 'ours', address: 'ours' };

/** One account is one in any case, as it is for sign-in; a household is one address. */
const inTurn = <T>({ account, address, signal }: Turn, task: () => Promise<T>) =>
  queue({ account: account.trim().toLowerCase(), address: network(address), signal }, task);

/**
 * @param turn whose password it is, and where it was sent from; by default one that was made here
 * @throws AppError 'unavailable' when too many wait
 */
export const hashPassword = (password: string, turn: Turn = OURS): Promise<string> =>
  inTurn(turn, () => hash(password, COST));

/** The hash of a password that nobody has, so that an unknown name costs the same time as a known one. */
const nobodysHash = hash(randomUUID(), COST);

/**
 * @param hashed null for a name that nobody has: false, after the same time
 * @param turn the account by the name that was typed, so that it tells nothing of who has it
 * @throws AppError 'unavailable' when too many wait; then nothing was compared
 */
export async function passwordMatches(password: string, hashed: string | null, turn: Turn): Promise<boolean> {
  const against = hashed ?? (await nobodysHash);
  const matches = await inTurn(turn, () => verify(against, password));
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
