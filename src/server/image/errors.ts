import { AppError } from '#shared/errors.ts';

const KINDS_IN_WORDS = 'a JPEG, PNG, WebP, GIF or AVIF';

const createImageError = (message: string) => new AppError('unsupported-media', message);

export const notAnImageError = () =>
  createImageError(`This picture can’t be used. Please choose ${KINDS_IN_WORDS}.`);

export const imageTooLargeError = () =>
  createImageError('This picture is too large. Please make it smaller first.');

export const brokenImageError = () =>
  createImageError(`This picture is damaged. Please choose ${KINDS_IN_WORDS}.`);

/** Creates the error for a picture whose decoding exceeded the limits on time or memory. */
export const imageTooExpensiveError = () =>
  createImageError(`This picture could not be read. Please choose ${KINDS_IN_WORDS}.`);
