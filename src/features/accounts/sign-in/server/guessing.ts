import { AppError } from '#shared/errors.ts';
import { isUsedUp, limitsOf, type Tallies, type Tally } from '#server/limits/tallies.ts';

export const GUESSING_WINDOW_MS = 15 * 60 * 1000;

const MOST_FOR_NAME_FROM_ADDRESS = 10;
const MOST_FROM_ADDRESS = 100;
const MOST_FROM_KNOWN_DEVICE = 10;

/** Limit on a name for unknown devices. It applies only after more failures than any network may have, even a /48. */
const SLOW_NAME = { from: 50, everyMs: 10 * 1000 };

/**
 * Returns whether an unknown device may try to sign in now, or has to wait for pending attempts.
 * @throws AppError 'too-many' with the seconds until a retry, once too many attempts have failed, whether or
 * not this password is right
 */
export function admitStranger(tried: Tallies, now: Date): 'go' | 'wait' {
  const turns = [
    withinEach(MOST_FOR_NAME_FROM_ADDRESS, tried.subjectFromNetworks),
    withinEach(MOST_FROM_ADDRESS, tried.networks),
    slowed(tried, SLOW_NAME, now),
  ];
  return turns.includes('wait') ? 'wait' : 'go';
}

/** Does the same for a device that has signed in to the account before: nobody else can use up its attempts. */
export const admitKnownDevice = ({ subject }: Tallies): 'go' | 'wait' =>
  within(MOST_FROM_KNOWN_DEVICE, subject);

const HOUR_MS = 60 * 60 * 1000;

/** Limit against filling a mailbox and probing lists of names, counted like requests for a reset link. */
export const LINKS = {
  windowMs: HOUR_MS,
  /** To one account, from any number of addresses. */
  mostMails: 5,
  allow: ({ subjectFromNetworks, networks }: Tallies) => {
    if (isUsedUp(5, subjectFromNetworks) || isUsedUp(300, networks)) throw tooManyRequests();
  },
};

/** Limit on creating codes, because each needs a slow hash. */
export const CODES_MADE = {
  windowMs: HOUR_MS,
  allow: ({ subject }: Tallies) => {
    if (subject.count >= 60) throw tooManyRequests();
  },
};

/**
 * Limit on guesses of codes. A guess could hit any open code, so failures are counted by network and in
 * total. See docs/decisions/009-rate-limits.md for the remaining probability of a hit.
 */
export const CODES = {
  windowMs: GUESSING_WINDOW_MS,
  admit(tried: Tallies, now: Date): 'go' | 'wait' {
    const turns = [withinEach(20, tried.networks), slowed(tried, { from: 200, everyMs: 2_000 }, now)];
    return turns.includes('wait') ? 'wait' : 'go';
  },
};

/**
 * After this many failures, allows one attempt per interval. Networks with few failures share one, and all
 * others share another, so that somebody who keeps failing can't use up the attempts of those who have not.
 */
function slowed(
  { subject, subjectFromPeers: peers }: Tallies,
  slow: { from: number; everyMs: number },
  now: Date,
) {
  if (subject.count + subject.pending < slow.from) return 'go';
  const waited = peers.latest ? now.getTime() - peers.latest.getTime() : Infinity;
  if (subject.count >= slow.from && waited < slow.everyMs)
    throw tooMany(slow.everyMs - waited, 'Too many failed sign-ins. Please try again in a few seconds.');
  return peers.pending > 0 ? 'wait' : 'go';
}

const tooManyRequests = () => tooMany(HOUR_MS, 'Too many requests. Please try again in an hour.');

function withinEach(most: number, networks: Tally[]): 'go' | 'wait' {
  const turns = limitsOf(most, networks).map((limit, width) => within(limit, networks[width]!));
  return turns.includes('wait') ? 'wait' : 'go';
}

function within(most: number, { count, pending }: Tally): 'go' | 'wait' {
  if (count >= most)
    throw tooMany(GUESSING_WINDOW_MS, 'Too many failed sign-ins. Please wait 15 minutes and try again.');
  return count + pending >= most ? 'wait' : 'go';
}

const tooMany = (waitMs: number, message: string) =>
  new AppError('too-many', message, { retryAfter: Math.ceil(waitMs / 1000) });
