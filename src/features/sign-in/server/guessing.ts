import { AppError } from '../../../platform/contract/errors.ts';
import type { Tallies, Tally } from '../../../platform/server/attempts.ts';

export const GUESSING_WINDOW_MS = 15 * 60 * 1000;

const MOST_FOR_NAME_FROM_ADDRESS = 10;
const MOST_FROM_ADDRESS = 100;
const MOST_FROM_KNOWN_DEVICE = 10;

/** From here on, a name allows one attempt per interval from unknown devices. */
const SLOW_FROM = 50;
const SLOW_MS = 10 * 1000;

/**
 * Whether an unknown device may try to sign in now, or has to wait for pending attempts.
 * @throws AppError 'too-many' once too many have failed, whether or not this password is right, with the seconds after
 *   which to retry
 */
export function admitStranger(tried: Tallies, now: Date): 'go' | 'wait' {
  const turns = [
    within(MOST_FOR_NAME_FROM_ADDRESS, tried.subjectFromAddress),
    within(MOST_FROM_ADDRESS, tried.address),
    slowed(tried.subject, { from: SLOW_FROM, everyMs: SLOW_MS }, now),
  ];
  return turns.includes('wait') ? 'wait' : 'go';
}

/** The same for a device that has signed in to the account before: nobody else can use up its attempts. */
export const admitKnownDevice = ({ subject }: Tallies): 'go' | 'wait' =>
  within(MOST_FROM_KNOWN_DEVICE, subject);

const HOUR_MS = 60 * 60 * 1000;

/** Against filling a mailbox, and probing lists of names; counted as requests for a reset link are. */
export const LINKS = {
  windowMs: HOUR_MS,
  /** To one account, from however many addresses. */
  mostMails: 5,
  allow: ({ subjectFromAddress, address }: Tallies) => {
    if (subjectFromAddress.count >= 5 || address.count >= 300) throw tooManyRequests();
  },
};

/** Each costs a slow hash. */
export const CODES_MADE = {
  windowMs: HOUR_MS,
  allow: ({ subject }: Tallies) => {
    if (subject.count >= 60) throw tooManyRequests();
  },
};

/**
 * Whoever guesses at codes guesses at all that are open: failures are counted by address, and all together. What that
 * leaves to chance is in decision 0052.
 */
export const CODES = {
  windowMs: GUESSING_WINDOW_MS,
  admit({ address, subject }: Tallies, now: Date): 'go' | 'wait' {
    const turns = [within(20, address), slowed(subject, { from: 200, everyMs: 2_000 }, now)];
    return turns.includes('wait') ? 'wait' : 'go';
  },
};

/** From so many failures on, one try per interval. */
function slowed({ count, pending, latest }: Tally, slow: { from: number; everyMs: number }, now: Date) {
  if (count < slow.from) return count + pending >= slow.from ? 'wait' : 'go';
  const waited = latest ? now.getTime() - latest.getTime() : Infinity;
  if (waited < slow.everyMs)
    throw tooMany(slow.everyMs - waited, 'Too many failed sign-ins. Please try again in a few seconds.');
  return pending > 0 ? 'wait' : 'go';
}

const tooManyRequests = () => tooMany(HOUR_MS, 'Too many requests. Please try again in an hour.');

function within(most: number, { count, pending }: Tally): 'go' | 'wait' {
  if (count >= most)
    throw tooMany(GUESSING_WINDOW_MS, 'Too many failed sign-ins. Please wait 15 minutes and try again.');
  return count + pending >= most ? 'wait' : 'go';
}

const tooMany = (waitMs: number, message: string) =>
  new AppError('too-many', message, { retryAfter: Math.ceil(waitMs / 1000) });
