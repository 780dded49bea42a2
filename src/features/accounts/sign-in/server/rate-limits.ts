import { AppError } from '#shared/errors.ts';
import {
  isAttemptLimitReached,
  getLimitsPerNetwork,
  type AttemptCountsByScope,
  type AttemptCount,
} from '#server/limits/attempt-counts.ts';

export const GUESSING_WINDOW_MS = 15 * 60 * 1000;

const MAX_PER_NAME_AND_ADDRESS = 10;
const MAX_PER_ADDRESS = 100;
const MAX_PER_KNOWN_DEVICE = 10;

/**
 * Throttle per username, for unknown devices. `from` is higher than the number of failures allowed to any
 * single network, even an IPv6 /48, so that no network can trigger the throttle alone.
 */
const NAME_THROTTLE = { from: 50, everyMs: 10 * 1000 };

/**
 * Returns 'go' if an unknown device may try to sign in now, or 'wait' if it must wait for the outcome of
 * pending attempts.
 * @throws AppError 'too-many', with the seconds until the next retry, if too many attempts have failed. The
 * decision does not depend on whether the password is right.
 */
export function admitUnknownDevice(tallies: AttemptCountsByScope, now: Date): 'go' | 'wait' {
  const decisions = [
    admitWithinEach(MAX_PER_NAME_AND_ADDRESS, tallies.subjectFromNetworks),
    admitWithinEach(MAX_PER_ADDRESS, tallies.networks),
    throttle(tallies, NAME_THROTTLE, now),
  ];
  return decisions.includes('wait') ? 'wait' : 'go';
}

/**
 * Like {@link admitUnknownDevice}, but for a device that has signed in to the account before. Nobody else can
 * use up the attempts of such a device.
 */
export const admitKnownDevice = ({ subject }: AttemptCountsByScope): 'go' | 'wait' =>
  admitWithin(MAX_PER_KNOWN_DEVICE, subject);

const HOUR_MS = 60 * 60 * 1000;

/** Limit against flooding mailboxes and testing which names exist. Counted like requests for reset links. */
export const SIGN_IN_LINK_RATE_LIMIT = {
  windowMs: HOUR_MS,
  /** Maximum number of emails to one account, for all IP addresses together. */
  maxMails: 5,
  allow: ({ subjectFromNetworks, networks }: AttemptCountsByScope) => {
    if (isAttemptLimitReached(5, subjectFromNetworks) || isAttemptLimitReached(300, networks))
      throw tooManyRequests();
  },
};

/** Limit on creating codes, because each code needs a slow hash. */
export const SIGN_IN_CODE_CREATION_RATE_LIMIT = {
  windowMs: HOUR_MS,
  allow: ({ subject }: AttemptCountsByScope) => {
    if (subject.count >= 60) throw tooManyRequests();
  },
};

/**
 * Limit on guesses at codes. A guess could match any open code, so failures are counted per network and in
 * total. docs/decisions/009-rate-limits.md states the remaining probability of a match.
 */
export const SIGN_IN_CODE_GUESS_RATE_LIMIT = {
  windowMs: GUESSING_WINDOW_MS,
  admit(tallies: AttemptCountsByScope, now: Date): 'go' | 'wait' {
    const decisions = [
      admitWithinEach(20, tallies.networks),
      throttle(tallies, { from: 200, everyMs: 2_000 }, now),
    ];
    return decisions.includes('wait') ? 'wait' : 'go';
  },
};

/**
 * Allows only one attempt per `everyMs` after `from` failures. Networks with few failures share one allowance
 * and all others share another, so that somebody who keeps failing can't use up the attempts of other people.
 */
function throttle(
  { subject, subjectFromPeers: peers }: AttemptCountsByScope,
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

function admitWithinEach(max: number, networks: AttemptCount[]): 'go' | 'wait' {
  const decisions = getLimitsPerNetwork(max, networks).map((limit, width) =>
    admitWithin(limit, networks[width]!),
  );
  return decisions.includes('wait') ? 'wait' : 'go';
}

function admitWithin(max: number, { count, pending }: AttemptCount): 'go' | 'wait' {
  if (count >= max)
    throw tooMany(GUESSING_WINDOW_MS, 'Too many failed sign-ins. Please wait 15 minutes and try again.');
  return count + pending >= max ? 'wait' : 'go';
}

const tooMany = (waitMs: number, message: string) =>
  new AppError('too-many', message, { retryAfter: Math.ceil(waitMs / 1000) });
