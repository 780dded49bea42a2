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
  const turn = [
    within(MOST_FOR_NAME_FROM_ADDRESS, tried.subjectFromAddress),
    within(MOST_FROM_ADDRESS, tried.address),
  ];
  const { count, pending, latest } = tried.subject;
  if (count >= SLOW_FROM) {
    const waited = latest ? now.getTime() - latest.getTime() : Infinity;
    if (waited < SLOW_MS)
      throw tooMany(SLOW_MS - waited, 'Too many failed sign-ins. Please try again in a few seconds.');
    if (pending > 0) return 'wait';
  } else if (count + pending >= SLOW_FROM) {
    return 'wait';
  }
  return turn.includes('wait') ? 'wait' : 'go';
}

/** The same for a device that has signed in to the account before: nobody else can use up its attempts. */
export const admitKnownDevice = ({ subject }: Tallies): 'go' | 'wait' =>
  within(MOST_FROM_KNOWN_DEVICE, subject);

function within(most: number, { count, pending }: Tally): 'go' | 'wait' {
  if (count >= most)
    throw tooMany(GUESSING_WINDOW_MS, 'Too many failed sign-ins. Please wait 15 minutes and try again.');
  return count + pending >= most ? 'wait' : 'go';
}

const tooMany = (waitMs: number, message: string) =>
  new AppError('too-many', message, { retryAfter: Math.ceil(waitMs / 1000) });
