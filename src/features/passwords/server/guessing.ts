import { AppError } from '../../../platform/contract/errors.ts';
import type { Tallies } from '../../../platform/server/attempts.ts';

const HOUR_MS = 60 * 60 * 1000;
const QUARTER_MS = 15 * 60 * 1000;

/** Whoever finds a device signed in may not find out its password there. By user, wherever it is tried from. */
export const CHANGING = {
  windowMs: QUARTER_MS,
  allow: ({ subject }: Tallies) => {
    if (subject.count >= 10)
      throw tooMany(QUARTER_MS, 'Too many wrong passwords. Please wait 15 minutes and try again.');
  },
};

/** Nobody's mailbox is filled, and no list of emails is tried. */
export const RESETTING = {
  windowMs: HOUR_MS,
  allow: ({ subject, address }: Tallies) => {
    if (subject.count >= 5 || address.count >= 300)
      throw tooMany(HOUR_MS, 'Too many requests. Please try again in an hour.');
  },
};

const tooMany = (waitMs: number, message: string) =>
  new AppError('too-many', message, { retryAfter: waitMs / 1000 });
