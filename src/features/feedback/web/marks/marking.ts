import type { Mark } from '#features/feedback/contract.ts';
import { MAX_MARKS } from '#features/feedback/limits.ts';
import { endMarkAt, roundToTenth } from './mark-times.ts';

// React keys of the marks. An edited mark is a new object, but its key keeps it in the same row.
const keys = new WeakMap<Mark, number>();
let lastKey = 0;

export function getMarkKey(mark: Mark): number {
  const key = keys.get(mark) ?? ++lastKey;
  keys.set(mark, key);
  return key;
}

/** Returns a changed copy of the mark, with the same key. */
export function editMark(mark: Mark, part: Partial<Mark>): Mark {
  const made = { ...mark, ...part };
  keys.set(made, getMarkKey(mark));
  return made;
}

export const replaceMark = (marks: readonly Mark[], former: Mark, next: Mark) =>
  marks.map((mark) => (mark === former ? next : mark));

export type MarkingState = { marks: readonly Mark[]; openKey: number | null };

/**
 * Returns the state after the mark button or its shortcut is pressed at a position: either with a new open
 * mark, or with the open mark ended there. The marks stay unchanged if the ended mark would be too short, or
 * if a new mark would exceed MAX_MARKS.
 * @param openKey key of the mark that can still be ended, or null
 */
export function toggleMarkAt(
  seconds: number,
  { marks, openKey }: MarkingState,
  duration: number,
): MarkingState {
  const now = Math.min(Math.max(0, roundToTenth(seconds)), duration);
  const open = marks.find((mark) => getMarkKey(mark) === openKey && mark.end === null);
  if (open && now > open.start) {
    const { end } = endMarkAt(open, now);
    return end === null
      ? { marks, openKey }
      : { marks: replaceMark(marks, open, editMark(open, { end })), openKey: null };
  }
  return addMark({ start: now, end: null, text: '' }, { marks, openKey });
}

/**
 * Inserts the mark in time order and opens it. Returns the same state if the maximum number of marks has been
 * reached.
 */
export function addMark(made: Mark, { marks, openKey }: MarkingState): MarkingState {
  if (marks.length >= MAX_MARKS) return { marks, openKey };
  const behind = marks.findIndex(({ start }) => start > made.start);
  const at = behind === -1 ? marks.length : behind;
  return { marks: [...marks.slice(0, at), made, ...marks.slice(at)], openKey: getMarkKey(made) };
}
