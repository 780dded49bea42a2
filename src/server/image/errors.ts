import { AppError } from '#shared/errors.ts';

const KINDS_IN_WORDS = 'a JPEG, PNG, WebP, GIF or AVIF';

const createImageError = (message: string) => new AppError('unsupported-media', message);

export const notAnImageError = () =>
  createImageError(`This picture can’t be used. Please choose ${KINDS_IN_WORDS}.`);

export const imageTooLargeError = () =>
  createImageError('This picture is too large. Please make it smaller first.');

export const brokenImageError = () =>
  createImageError(`This picture is damaged. Please choose ${KINDS_IN_WORDS}.`);

/** Returns the error for a picture whose decoding took more time or memory than it ever should. */
export const imageTooExpensiveError = () =>
  createImageError(`This picture could not be read. Please choose ${KINDS_IN_WORDS}.`);
