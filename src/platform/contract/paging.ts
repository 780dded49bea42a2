import { z } from 'zod';

// Lists that can grow are answered a page at a time. `Link` names the next page by a cursor, where the last row stood,
// and never by how many rows came before: rows come and go between two pages.

/** How many rows the whole list has; with each of its pages. */
export const TOTAL_HEADER = 'x-total-count';

/** The most rows of any page. */
export const PAGE_MAX = 200;

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
