import { AppError } from '#shared/errors.ts';
import { isAttemptLimitReached, type AttemptCountsByScope } from '#server/limits/attempt-counts.ts';

const HOUR_MS = 60 * 60 * 1000;
const QUARTER_HOUR_MS = 15 * 60 * 1000;

const MAX_WRONG_PASSWORDS = 10;

/**
 * Limit on guesses at the current password by a signed-in client, for all IP addresses together. Counted per
 * known device, and per user for all other clients together. A thief with a stolen session therefore can't
 * prevent the account's owner from changing the password.
 */
export const PASSWORD_CHECK_RATE_LIMIT = {
  windowMs: QUARTER_HOUR_MS,
  admit: ({ subject: { count, pending } }: AttemptCountsByScope) => {
    if (count >= MAX_WRONG_PASSWORDS)
      throw tooMany(QUARTER_HOUR_MS, 'Too many wrong passwords. Please wait 15 minutes and try again.');
    return count + pending >= MAX_WRONG_PASSWORDS ? ('wait' as const) : ('go' as const);
  },
};

/**
 * Limit against testing which emails have an account. Counted per network, and per email from each network: a
 * limit per email alone would let other people's requests block the user's own.
 */
export const RESET_REQUEST_RATE_LIMIT = {
  windowMs: HOUR_MS,
  allow: ({ subjectFromNetworks, networks }: AttemptCountsByScope) => {
    if (isAttemptLimitReached(5, subjectFromNetworks) || isAttemptLimitReached(300, networks))
      throw tooMany(HOUR_MS, 'Too many requests. Please try again in an hour.');
  },
};

/** Limit against flooding a mailbox, for all IP addresses together. */
export const RESET_EMAIL_RATE_LIMIT = { windowMs: HOUR_MS, max: 5 };

const tooMany = (waitMs: number, message: string) =>
  new AppError('too-many', message, { retryAfter: waitMs / 1000 });
