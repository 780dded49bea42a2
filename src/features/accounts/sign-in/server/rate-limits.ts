import { AppError } from '#shared/errors.ts';
import { isLimitReached, getLimits, type Tallies, type Tally } from '#server/limits/tallies.ts';

export const GUESSING_WINDOW_MS = 15 * 60 * 1000;

const MAX_PER_NAME_AND_ADDRESS = 10;
const MAX_PER_ADDRESS = 100;
const MAX_PER_KNOWN_DEVICE = 10;

/** Limit on a name for unknown devices. It applies only after more failures than any network may have, even a /48. */
const NAME_THROTTLE = { from: 50, everyMs: 10 * 1000 };

/**
 * Returns whether an unknown device may try to sign in now, or has to wait for pending attempts.
 * @throws AppError 'too-many' with the seconds until a retry, once too many attempts have failed, whether or
 * not this password is right
 */
export function admitUnknownDevice(tallies: Tallies, now: Date): 'go' | 'wait' {
  const decisions = [
    admitWithinEach(MAX_PER_NAME_AND_ADDRESS, tallies.subjectFromNetworks),
    admitWithinEach(MAX_PER_ADDRESS, tallies.networks),
    throttle(tallies, NAME_THROTTLE, now),
  ];
  return decisions.includes('wait') ? 'wait' : 'go';
}

/** Does the same for a device that has signed in to the account before: nobody else can use up its attempts. */
export const admitKnownDevice = ({ subject }: Tallies): 'go' | 'wait' =>
  admitWithin(MAX_PER_KNOWN_DEVICE, subject);

const HOUR_MS = 60 * 60 * 1000;

/** Limit against filling a mailbox and probing lists of names, counted like requests for a reset link. */
export const SIGN_IN_LINK_LIMIT = {
  windowMs: HOUR_MS,
  /** To one account, from any number of addresses. */
  maxMails: 5,
  allow: ({ subjectFromNetworks, networks }: Tallies) => {
    if (isLimitReached(5, subjectFromNetworks) || isLimitReached(300, networks)) throw tooManyRequests();
  },
};

/** Limit on creating codes, because each needs a slow hash. */
export const CODE_CREATION_LIMIT = {
  windowMs: HOUR_MS,
  allow: ({ subject }: Tallies) => {
    if (subject.count >= 60) throw tooManyRequests();
  },
};

/**
 * Limit on guesses of codes. A guess could hit any open code, so failures are counted by network and in
 * total. See docs/decisions/009-rate-limits.md for the remaining probability of a hit.
 */
export const CODE_GUESS_LIMIT = {
  windowMs: GUESSING_WINDOW_MS,
  admit(tallies: Tallies, now: Date): 'go' | 'wait' {
    const decisions = [
      admitWithinEach(20, tallies.networks),
      throttle(tallies, { from: 200, everyMs: 2_000 }, now),
    ];
    return decisions.includes('wait') ? 'wait' : 'go';
  },
};

/**
 * After this many failures, allows one attempt per interval. Networks with few failures share one, and all
 * others share another, so that somebody who keeps failing can't use up the attempts of those who have not.
 */
function throttle(
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

function admitWithinEach(max: number, networks: Tally[]): 'go' | 'wait' {
  const decisions = getLimits(max, networks).map((limit, width) => admitWithin(limit, networks[width]!));
  return decisions.includes('wait') ? 'wait' : 'go';
}

function admitWithin(max: number, { count, pending }: Tally): 'go' | 'wait' {
  if (count >= max)
    throw tooMany(GUESSING_WINDOW_MS, 'Too many failed sign-ins. Please wait 15 minutes and try again.');
  return count + pending >= max ? 'wait' : 'go';
}

const tooMany = (waitMs: number, message: string) =>
  new AppError('too-many', message, { retryAfter: Math.ceil(waitMs / 1000) });
