import { AppError } from '#shared/errors.ts';

const KINDS_IN_WORDS = 'a JPEG, PNG, WebP, GIF or AVIF';

const refuse = (message: string) => new AppError('unsupported-media', message);

export const notAPicture = () => refuse(`This picture can’t be used. Please choose ${KINDS_IN_WORDS}.`);

export const tooLarge = () => refuse('This picture is too large. Please make it smaller first.');

export const broken = () => refuse(`This picture is damaged. Please choose ${KINDS_IN_WORDS}.`);

/** Returns the error for a picture whose decoding took more time or memory than it ever should. */
export const tooMuchWork = () => refuse(`This picture could not be read. Please choose ${KINDS_IN_WORDS}.`);
