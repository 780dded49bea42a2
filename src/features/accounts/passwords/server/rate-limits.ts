import { AppError } from '#shared/errors.ts';
import { isLimitReached, type Tallies } from '#server/limits/tallies.ts';

const HOUR_MS = 60 * 60 * 1000;
const QUARTER_HOUR_MS = 15 * 60 * 1000;

const MAX_WRONG_PASSWORDS = 10;

/**
 * Limit on guesses of the current password at a signed-in device. Counted by user, from any address. A known
 * device has attempts of its own, so that a stolen session can't keep its owner from changing the password.
 */
export const PASSWORD_CHECK_LIMIT = {
  windowMs: QUARTER_HOUR_MS,
  admit: ({ subject: { count, pending } }: Tallies) => {
    if (count >= MAX_WRONG_PASSWORDS)
      throw tooMany(QUARTER_HOUR_MS, 'Too many wrong passwords. Please wait 15 minutes and try again.');
    return count + pending >= MAX_WRONG_PASSWORDS ? ('wait' as const) : ('go' as const);
  },
};

/**
 * Limit against probing lists of emails. Counted by email and address, so that other people's requests don't
 * block the user's own.
 */
export const RESET_REQUEST_LIMIT = {
  windowMs: HOUR_MS,
  allow: ({ subjectFromNetworks, networks }: Tallies) => {
    if (isLimitReached(5, subjectFromNetworks) || isLimitReached(300, networks))
      throw tooMany(HOUR_MS, 'Too many requests. Please try again in an hour.');
  },
};

/** Limit against filling a mailbox, from any number of addresses. */
export const RESET_LINK_LIMIT = { windowMs: HOUR_MS, max: 5 };

const tooMany = (waitMs: number, message: string) =>
  new AppError('too-many', message, { retryAfter: waitMs / 1000 });
