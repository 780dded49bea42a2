import { z } from 'zod';
import { SOUND_COPIES } from './media.ts';
import { INVALID_INPUT_MESSAGE, getDefaultIssueMessage, getMaxLengthMessage } from './validation-messages.ts';

// Schemas that several contracts share. Responses use `timestamp`, so that a service can return a row as it
// is in the database, and the response contains times as ISO 8601 in UTC.

// Keeps zod from using eval, which the pages' CSP forbids. Contracts import this module, so it runs before they
// declare their schemas.
if ('document' in globalThis) z.config({ jitless: true });

// Sets the messages for rules without their own message, because zod's messages are for programmers.
z.config({ customError: getDefaultIssueMessage });

/** Schema for a timestamp: a Date on the server, ISO 8601 in UTC in the response. */
export const timestamp = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(z.iso.datetime());

/** Largest value of PostgreSQL's `integer`, the type of all numeric ids. */
const MAX_INTEGER = 2_147_483_647;

/** Returns a schema for a whole number from `min` to MAX_INTEGER, given as a number or a string of digits. */
const wholeNumber = (min: number, message: string) =>
  z
    .union([z.number(), z.string()], message)
    .transform((value) =>
      typeof value === 'number' || /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN,
    )
    .pipe(z.int(message).min(min, message).max(MAX_INTEGER, message));

/** Creates a schema for a numeric id, with this message for any other value. */
export const createRequiredNumericIdSchema = (message: string) => wholeNumber(1, message);

export const numericId = createRequiredNumericIdSchema(INVALID_INPUT_MESSAGE);

/** Schema for an offset in a file, in bytes. */
export const byteOffset = wholeNumber(0, INVALID_INPUT_MESSAGE);

/**
 * Makes a schema reject text that PostgreSQL can't store: NUL, and a lone surrogate (half of a character),
 * which JSON can express (`"\ud800"`).
 */
export const refineStorableText = (given: z.ZodString) =>
  given
    .refine((value) => !value.includes('\0'), BROKEN_CHARACTER)
    // Detects a lone surrogate by a pattern, because Firefox 118 lacks `isWellFormed`.
    .refine((value) => !/\p{Surrogate}/u.test(value), BROKEN_CHARACTER);

const BROKEN_CHARACTER = 'This text contains a character that can’t be saved. Please type it again.';

/** Creates a schema for text that a person types, at most `max` characters. */
export const createLimitedTextSchema = (max: number, message?: string) =>
  refineStorableText(z.string(message).max(max, getMaxLengthMessage(max)));

/**
 * Creates a schema for required text in a single line, such as a name or a title.
 * @param tidy cleans up the value further, before an empty value is rejected
 */
export const createRequiredSingleLineTextSchema = (
  max: number,
  message: string,
  tidy = (value: string) => value,
) =>
  createLimitedTextSchema(max, message)
    .overwrite((value) => tidy(oneLine(value)))
    .min(1, message);

/**
 * Trims the value, replaces line ends and other control characters with a space, and drops characters that
 * change the writing direction. Pasted unnoticed, such characters could add headers to an email or make a
 * name look like another.
 */
const oneLine = (value: string) =>
  value
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

const INVALID_EMAIL = 'Please enter a valid email address.';

/** @param missing message for an empty email */
export const createRequiredEmailSchema = (missing: string) =>
  z
    .string(missing)
    .trim()
    .min(1, missing)
    .max(254, 'This email address is too long.')
    .pipe(z.email(INVALID_EMAIL))
    .transform((value) => value.toLowerCase());

export const emailAddress = createRequiredEmailSchema(INVALID_EMAIL);

export const messageBody = z
  .object({ message: z.string().describe('A message for a person.') })
  .meta({ id: 'Message' });

/** Body that contains only a count, for badges that need no list. */
export const countBody = z.object({ count: z.int() }).meta({ id: 'Count' });

/** The query `?before=ID` of lists that are sorted by id, newest first. */
export const idCursorQuery = z.object({ before: numericId.optional() });

const MAX_CURSOR_LENGTH = 1_000;

/**
 * Schema for the cursor of a list that is not sorted by id alone: the sort keys of a page's last row, as JSON.
 * Clients copy it from the `Link` header.
 */
export const createPageCursorSchema = <Keys extends z.ZodTuple>(keys: Keys) =>
  z
    .string()
    .max(MAX_CURSOR_LENGTH)
    .transform((value, context): unknown => {
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue('is not a valid page cursor');
        return z.NEVER;
      }
    })
    .pipe(keys);

/** Schema for a timestamp in a cursor. */
export const cursorTime = z.iso.datetime().transform((value) => new Date(value));

/**
 * Peaks of a waveform. An invalid stored value becomes null, because one waveform must not make a whole list
 * fail.
 */
export const waveformPeaks = z
  .base64()
  .nullable()
  .catch(null)
  .describe('The bars of a waveform: base64 of 200 bytes, each the peak of its slice.');

export const nullableFileName = z.string().nullable().describe("The file's name for `/api/files/`, or null.");

export const soundCopies = z
  .array(z.enum(SOUND_COPIES))
  .describe(
    "The copies of the audio that `/api/files/` serves with `copy`. A browser that can't play the original plays `full`, or else `small`.",
  );
