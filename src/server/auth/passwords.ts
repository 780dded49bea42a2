import argon2 from '@node-rs/argon2';
import { randomInt, randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { AppError } from '#shared/errors.ts';
import { createConcurrencyLimiter } from '../concurrency/concurrency-limiter.ts';
import { createFairOrder, type QueueClient } from '../concurrency/fair-order.ts';
import { getWidestNetwork } from '../limits/network.ts';

/**
 * Parameters of argon2id: 64 MiB and three passes, above OWASP's recommendation. A hash takes about 40 ms on
 * a small server.
 */
const HASH_OPTIONS = { memoryCost: 64 * 1024, timeCost: 3, parallelism: 1 };

/**
 * Maximum number of concurrent hashes. Each uses 64 MiB and a whole core, so a burst of sign-ins is queued
 * instead of exhausting both. The limit leaves two of the four libuv threads free for reading files, and at
 * least one core if there are several.
 */
const MAX_CONCURRENT_HASHES = Math.max(1, Math.min(2, availableParallelism() - 1));

const tooBusyError = () =>
  new AppError('unavailable', 'Many people are signing in right now. Please try again in a few seconds.', {
    retryAfter: 5,
  });

const runLimited = createConcurrencyLimiter({
  maxConcurrent: MAX_CONCURRENT_HASHES,
  maxQueued: 400,
  order: createFairOrder(),
  createError: tooBusyError,
});

/**
 * Queue client for all generated passwords. The queue treats them as the passwords of a single account, so
 * inviting many people doesn't delay sign-ins.
 */
const GENERATED_PASSWORD_CLIENT: QueueClient = { account: 'ours', address: 'ours' };

/**
 * Queues a hash in fair order, so that no account or network delays the others. Ignores the case of account
 * names, as sign-in does. Counts all addresses of an IPv6 /48 as one.
 */
async function queueHash<T>({ account, address, signal }: QueueClient, task: () => Promise<T>): Promise<T> {
  if (signal?.aborted) throw tooBusyError();
  return runLimited(task, {
    account: account.trim().toLowerCase(),
    address: getWidestNetwork(address),
    signal,
  });
}

/**
 * Hashes a password.
 * @param turn account and client address, for fair queueing; by default the client of all generated passwords
 * @throws AppError 'unavailable' if the queue is full, or if `turn.signal` is aborted before the hash begins
 */
export const hashPassword = (
  password: string,
  turn: QueueClient = GENERATED_PASSWORD_CLIENT,
): Promise<string> => queueHash(turn, () => argon2.hash(password, HASH_OPTIONS));

/** Hash to compare with if the name is unknown, so that the response takes as long as for a known name. */
const dummyHash = hashPassword(randomUUID());

/**
 * Returns whether a password matches a hash.
 * @param hashed null for an unknown name; the result is then false, after the same time
 * @param turn contains the account's name as typed, so that timing does not reveal whether the account exists
 * @throws AppError 'unavailable' without comparing anything, like `hashPassword`
 */
export async function verifyPassword(
  password: string,
  hashed: string | null,
  turn: QueueClient,
): Promise<boolean> {
  const against = hashed ?? (await dummyHash);
  const matches = await queueHash(turn, () => argon2.verify(against, password));
  return matches && hashed !== null;
}

/**
 * Hashes a secret for a lookup: the same secret always has the same hash, so its row can be found by the hash.
 * The hash is slow, because the secret is short and a fast hash would not protect it.
 * @param turn as in `verifyPassword`
 * @throws AppError 'unavailable' like `hashPassword`
 */
export const hashForLookup = (secret: string, turn: QueueClient): Promise<string> =>
  queueHash(turn, async () =>
    (await argon2.hashRaw(secret, { ...HASH_OPTIONS, salt: LOOKUP_SALT })).toString('hex'),
  );

const LOOKUP_SALT = Buffer.from('found by its hash');

const CONSONANTS = 'bdfghjkmnprstvz';
const VOWELS = 'aeiou';

/**
 * Generates a password that is easy to read aloud: 'dakefo-muzari-tepogu-47'. Nine syllables, each out of 75,
 * and two digits, each out of eight, give 62 bits. Characters that are easily misheard or misread (c, l, q, w,
 * 0, 1) are not used.
 */
export function generatePassword(): string {
  const word = () => createSyllable() + createSyllable() + createSyllable();
  const digit = () => String(randomInt(2, 10));
  return `${word()}-${word()}-${word()}-${digit()}${digit()}`;
}

const pickLetter = (letters: string) => letters.charAt(randomInt(letters.length));
const createSyllable = () => pickLetter(CONSONANTS) + pickLetter(VOWELS);
