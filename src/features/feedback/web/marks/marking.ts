import type { Mark } from '#features/feedback/contract.ts';
import { MARKS_MAX } from '#features/feedback/limits.ts';
import { endedAt, tenth } from './mark-times.ts';

// Keys keep an edited mark in the same row on the screen, though it is a new object.
const keys = new WeakMap<Mark, number>();
let lastKey = 0;

export function keyOf(mark: Mark): number {
  const key = keys.get(mark) ?? ++lastKey;
  keys.set(mark, key);
  return key;
}

/** Returns the mark with a part of it changed, under the same key. */
export function edited(mark: Mark, part: Partial<Mark>): Mark {
  const made = { ...mark, ...part };
  keys.set(made, keyOf(mark));
  return made;
}

export const replaced = (marks: readonly Mark[], former: Mark, next: Mark) =>
  marks.map((mark) => (mark === former ? next : mark));

export type Marked = { marks: readonly Mark[]; openKey: number | null };

/**
 * Applies the marking key at a moment: sets a new open mark, or ends the open one there.
 * @param openKey the mark that can still be ended, or null
 */
export function markAt(seconds: number, { marks, openKey }: Marked, duration: number): Marked {
  const now = Math.min(Math.max(0, tenth(seconds)), duration);
  const open = marks.find((mark) => keyOf(mark) === openKey && mark.end === null);
  if (open && now > open.start) {
    const { end } = endedAt(open, now);
    return end === null
      ? { marks, openKey }
      : { marks: replaced(marks, open, edited(open, { end })), openKey: null };
  }
  return withMark({ start: now, end: null, text: '' }, { marks, openKey });
}

/** Inserts a mark in order of time and opens it; does nothing at the maximum number of marks. */
export function withMark(made: Mark, { marks, openKey }: Marked): Marked {
  if (marks.length >= MARKS_MAX) return { marks, openKey };
  const behind = marks.findIndex(({ start }) => start > made.start);
  const at = behind === -1 ? marks.length : behind;
  return { marks: [...marks.slice(0, at), made, ...marks.slice(at)], openKey: keyOf(made) };
}
