import { z } from 'zod';
import { SOUND_COPIES } from './media.ts';

// Shapes that several contracts share. Answers are written with `time` and friends so that a service hands over
// what the database gave, and the wire gets ISO 8601 in UTC.

// The pages' CSP forbids eval. Contracts import this module, so it runs before they declare their schemas.
if ('document' in globalThis) z.config({ jitless: true });

/** A moment: a Date on the way in, ISO 8601 in UTC on the wire. */
export const time = z
  .date()
  .transform((date) => date.toISOString())
  .pipe(z.iso.datetime());

/** Largest value of PostgreSQL's `integer`, the type of all numeric ids. */
const MAX_INTEGER = 2_147_483_647;

const NO_WHOLE_NUMBER = 'must be a whole number';

/** As callers send it: a number or a string of digits, of which the empty one is none. */
const wholeNumber = (min: number, message: string) =>
  z
    .union([z.number(), z.string()], message)
    .transform((value) =>
      typeof value === 'number' || /^\d{1,10}$/.test(value) ? Number(value) : Number.NaN,
    )
    .pipe(z.int(message).min(min, message).max(MAX_INTEGER, message));

/** A numeric id. */
export const idOr = (message: string) => wholeNumber(1, message);

export const id = idOr(NO_WHOLE_NUMBER);

/** Where in a file something begins. */
export const byteOffset = wholeNumber(0, NO_WHOLE_NUMBER);

/** Without what PostgreSQL can't store: NUL, and half of a character, which JSON can say (`"\ud800"`). */
export const storable = (given: z.ZodString) =>
  given
    .refine((value) => !value.includes('\0'), 'must not contain a NUL character')
    // Half of a pair of surrogates; Firefox 118 has no isWellFormed.
    .refine((value) => !/\p{Surrogate}/u.test(value), 'must not contain a broken character');

/** Text that a person typed. */
export const text = (max: number, message?: string) =>
  storable(z.string(message).max(max, `must be at most ${max.toLocaleString('en')} characters`));

/**
 * Text of one line that must be there: a name, a title.
 * @param tidy what else is dropped from it before it is looked at
 */
export const requiredText = (max: number, message: string, tidy = (value: string) => value) =>
  text(max, message)
    .overwrite((value) => tidy(oneLine(value)))
    .min(1, message);

/**
 * Line ends and other control characters become a space, and what turns the direction of writing for all that follows
 * is dropped: pasted along unseen, they would write into a mail's header, or show another name than is there.
 */
const oneLine = (value: string) =>
  value
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

const NO_EMAIL = 'Please enter a valid email address.';

/** @param missing the message for an empty one */
export const emailOr = (missing: string) =>
  z
    .string(missing)
    .trim()
    .min(1, missing)
    .max(254, 'must be at most 254 characters')
    .pipe(z.email(NO_EMAIL))
    .transform((value) => value.toLowerCase());

export const email = emailOr(NO_EMAIL);

export const message = z
  .object({ message: z.string().describe('For a person to read.') })
  .meta({ id: 'Message' });

/** How many there are, where a badge needs no list. */
export const count = z.object({ count: z.int() }).meta({ id: 'Count' });

/** `?before=ID` of lists that are sorted by their ids, newest first. */
export const historyQuery = z.object({ before: id.optional() });

const CURSOR_MAX = 1_000;

/**
 * The cursor of a list that is not sorted by its ids alone: the values by which its last row was sorted, as JSON.
 * Callers pass on what `Link` gave them.
 */
export const cursorOf = <Keys extends z.ZodTuple>(keys: Keys) =>
  z
    .string()
    .max(CURSOR_MAX)
    .transform((value, context): unknown => {
      try {
        return JSON.parse(value);
      } catch {
        context.addIssue('is not where a page ends');
        return z.NEVER;
      }
    })
    .pipe(keys);

/** A moment in a cursor. */
export const cursorTime = z.iso.datetime().transform((value) => new Date(value));

/** What was kept in another form is answered as none: a whole list must not fail by one waveform. */
export const peaks = z
  .base64()
  .nullable()
  .catch(null)
  .describe('The bars of a waveform: base64 of 200 bytes, each the loudest of its slice.');

export const fileName = z
  .string()
  .nullable()
  .describe('The name under which `/api/files/` gives the file, or null.');

export const soundCopies = z
  .array(z.enum(SOUND_COPIES))
  .describe(
    'The copies of the sound that `/api/files/` gives with `copy`; a browser that does not play the sound plays `full`, or else `small`.',
  );
