import { AppError } from '../../../platform/contract/errors.ts';
import type { Tallies } from '../../../platform/server/attempts.ts';

export const GUESSING_WINDOW_MS = 15 * 60 * 1000;

const MOST_FOR_NAME_FROM_ADDRESS = 10;
const MOST_FROM_ADDRESS = 100;

/** From here on, a name takes one try in so many seconds from devices that its owner never used. */
const SLOW_FROM = 50;
const SLOW_MS = 10 * 1000;

/**
 * Refuses a try at signing in, whether or not its password is right, once too many have failed.
 * @throws AppError 'too-many', with the seconds after which it is worth trying again
 */
export function refuseGuessing(failed: Tallies, isKnownDevice: boolean, now: Date): void {
  if (
    failed.subjectFromAddress.count >= MOST_FOR_NAME_FROM_ADDRESS ||
    failed.address.count >= MOST_FROM_ADDRESS
  ) {
    throw tooMany(GUESSING_WINDOW_MS, 'Too many failed sign-ins. Please wait 15 minutes and try again.');
  }
  const { count, latest } = failed.subject;
  const waited = latest ? now.getTime() - latest.getTime() : Infinity;
  if (count >= SLOW_FROM && waited < SLOW_MS && !isKnownDevice) {
    throw tooMany(SLOW_MS - waited, 'Too many failed sign-ins. Please try again in a few seconds.');
  }
}

const tooMany = (waitMs: number, message: string) =>
  new AppError('too-many', message, { retryAfter: Math.ceil(waitMs / 1000) });
