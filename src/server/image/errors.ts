import { AppError } from '#shared/errors.ts';

const KINDS_IN_WORDS = 'a JPEG, PNG, WebP, GIF or AVIF';

const createImageError = (message: string) => new AppError('unsupported-media', message);

export const createNotAnImageError = () =>
  createImageError(`This picture can’t be used. Please choose ${KINDS_IN_WORDS}.`);

export const createImageTooLargeError = () =>
  createImageError('This picture is too large. Please make it smaller first.');

export const createBrokenImageError = () =>
  createImageError(`This picture is damaged. Please choose ${KINDS_IN_WORDS}.`);

/** Creates the error for a picture whose decoding exceeded the time or memory limit. */
export const createImageTooExpensiveError = () =>
  createImageError(`This picture could not be read. Please choose ${KINDS_IN_WORDS}.`);
