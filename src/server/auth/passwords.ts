import argon2 from '@node-rs/argon2';
import { randomInt, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { AppError } from '#shared/errors.ts';
import { concurrencyLimiter } from '../concurrency/concurrency-limiter.ts';
import { fairOrder, type Turn } from '../concurrency/fair-order.ts';
import { widestNetwork } from '../limits/network.ts';

/** OWASP's argon2id parameters with headroom: 64 MiB and three passes, some 40 ms on a small server. */
const COST = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 };

/**
 * Maximum number of hashes at a time. Each uses 64 MiB and a core for a while, so a burst of sign-ins queues instead
 * of exhausting both. This leaves one core, and two of the four libuv threads, which file reads need.
 */
const AT_ONCE = Math.max(1, Math.min(2, availableParallelism() - 1));

const tooBusy = () =>
  new AppError('unavailable', 'Many people are signing in right now. Please try again in a few seconds.', {
    retryAfter: 5,
  });

const limited = concurrencyLimiter({
  atOnce: AT_ONCE,
  maxWaiting: 400,
  order: fairOrder(),
  refusal: tooBusy,
});

/** Generated passwords are hashed one after the other, even if a teacher invites many people at once. */
const OURS: Turn = { account: 'ours', address: 'ours' };

/**
 * Queues a hash. Account names ignore case, as in sign-in; a household, or a provider's /48, counts as one address.
 */
async function queued<T>({ account, address, signal }: Turn, task: () => Promise<T>): Promise<T> {
  if (signal?.aborted) throw tooBusy();
  return limited(task, { account: account.trim().toLowerCase(), address: widestNetwork(address), signal });
}

/**
 * @param turn the account and the client address; by default those of generated passwords
 * @throws AppError 'unavailable' when the queue is full
 */
export const hashPassword = (password: string, turn: Turn = OURS): Promise<string> =>
  queued(turn, () => argon2.hash(password, COST));

/** Compared against when the name is unknown, so that the answer takes as long as for a known name. */
const nobodysHash = hashPassword(randomUUID());

/**
 * @param hashed null for an unknown name: returns false after the same time
 * @param turn the account by the name as typed, so that timing does not reveal whether it exists
 * @throws AppError 'unavailable' when the queue is full, without comparing anything
 */
export async function passwordMatches(password: string, hashed: string | null, turn: Turn): Promise<boolean> {
  const against = hashed ?? (await nobodysHash);
  const matches = await queued(turn, () => argon2.verify(against, password));
  return matches && hashed !== null;
}

/**
 * Returns the same hash for the same secret, so that a row can be found by it. It is slow because the secret is
 * short, and a fast hash would not protect it.
 * @param turn as for a password
 */
export const lookUpHash = (secret: string, turn: Turn): Promise<string> =>
  queued(turn, async () => (await argon2.hashRaw(secret, { ...COST, salt: LOOK_UP_SALT })).toString('hex'));

const LOOK_UP_SALT = Buffer.from('found by its hash');

const CONSONANTS = 'bdfghjkmnprstvz';
const VOWELS = 'aeiou';

/**
 * Generates a password that is easy to read aloud: 'dakefo-muzari-tepogu-41'. Nine syllables of 75 and two digits of
 * eight are 62 bits; characters that are easily misheard or misread (c, l, q, w, 0, 1) are left out.
 */
export function generatePassword(): string {
  const word = () => syllable() + syllable() + syllable();
  const digit = () => String(randomInt(2, 10));
  return `${word()}-${word()}-${word()}-${digit()}${digit()}`;
}

const pick = (letters: string) => letters.charAt(randomInt(letters.length));
const syllable = () => pick(CONSONANTS) + pick(VOWELS);
