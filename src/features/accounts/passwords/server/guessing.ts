import { AppError } from '#shared/errors.ts';
import { isUsedUp, type Tallies } from '#server/limits/tallies.ts';

const HOUR_MS = 60 * 60 * 1000;
const QUARTER_MS = 15 * 60 * 1000;

const MOST_WRONG = 10;

/**
 * Someone at a signed-in device must not be able to guess its user's password. Counted by user, from any address; a
 * known device has attempts of its own, so that a stolen session can't keep its owner from changing the password.
 */
export const CHANGING = {
  windowMs: QUARTER_MS,
  admit: ({ subject: { count, pending } }: Tallies) => {
    if (count >= MOST_WRONG)
      throw tooMany(QUARTER_MS, 'Too many wrong passwords. Please wait 15 minutes and try again.');
    return count + pending >= MOST_WRONG ? ('wait' as const) : ('go' as const);
  },
};

/** Against probing lists of emails. Counted by email and address, so that nobody else's requests block one's own. */
export const RESETTING = {
  windowMs: HOUR_MS,
  allow: ({ subjectFromNetworks, networks }: Tallies) => {
    if (isUsedUp(5, subjectFromNetworks) || isUsedUp(300, networks))
      throw tooMany(HOUR_MS, 'Too many requests. Please try again in an hour.');
  },
};

/** Against filling a mailbox, from however many addresses. */
export const LINKS = { windowMs: HOUR_MS, most: 5 };

const tooMany = (waitMs: number, message: string) =>
  new AppError('too-many', message, { retryAfter: waitMs / 1000 });
