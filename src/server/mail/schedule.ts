const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A mail is given up after this long … */
export const GIVE_UP_AFTER_MS = 24 * HOUR_MS;

/** … but not before this many attempts: a program that was stopped for days has not tried at all. */
const FEWEST_TRIES = 4;

/** The delay after the first failed attempt, the second, … and all later ones. */
const WAITS_MS = [30 * SECOND_MS, ...[1, 2, 5, 10, 30, 60].map((minutes) => minutes * MINUTE_MS)];

/** Random jitter, so that mails that failed together are not retried together. */
const JITTER = 0.2;

type Tried = { attempts: number; createdAt: Date };

/**
 * When a mail that could not be delivered is retried; null when it is given up. The last attempt is made when the time
 * is up, even if the backoff would be longer.
 * @param random from 0 to 1
 */
export function nextTry({ attempts, createdAt }: Tried, now: Date, random = Math.random()): Date | null {
  const end = createdAt.getTime() + GIVE_UP_AFTER_MS;
  const isOver = now.getTime() >= end;
  if (isOver && attempts >= FEWEST_TRIES) return null;
  const wait = WAITS_MS[Math.min(attempts, WAITS_MS.length) - 1] ?? WAITS_MS[0]!;
  const next = now.getTime() + wait * (1 - JITTER * random);
  return new Date(isOver ? next : Math.min(next, end));
}
