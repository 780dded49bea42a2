import type { Mark } from '#features/feedback/contract.ts';
import { MAX_MARKS } from '#features/feedback/limits.ts';
import { endMarkAt, roundToTenth } from './mark-times.ts';

// Keys keep an edited mark in the same row on the screen, though it is a new object.
const keys = new WeakMap<Mark, number>();
let lastKey = 0;

export function getMarkKey(mark: Mark): number {
  const key = keys.get(mark) ?? ++lastKey;
  keys.set(mark, key);
  return key;
}

/** Returns the mark with a part of it changed, under the same key. */
export function editMark(mark: Mark, part: Partial<Mark>): Mark {
  const made = { ...mark, ...part };
  keys.set(made, getMarkKey(mark));
  return made;
}

export const replaceMark = (marks: readonly Mark[], former: Mark, next: Mark) =>
  marks.map((mark) => (mark === former ? next : mark));

export type MarkingState = { marks: readonly Mark[]; openKey: number | null };

/**
 * Applies the marking key at a moment: sets a new open mark, or ends the open one there.
 * @param openKey the mark that can still be ended, or null
 */
export function markAt(seconds: number, { marks, openKey }: MarkingState, duration: number): MarkingState {
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

/** Inserts a mark in order of time and opens it; does nothing at the maximum number of marks. */
export function addMark(made: Mark, { marks, openKey }: MarkingState): MarkingState {
  if (marks.length >= MAX_MARKS) return { marks, openKey };
  const behind = marks.findIndex(({ start }) => start > made.start);
  const at = behind === -1 ? marks.length : behind;
  return { marks: [...marks.slice(0, at), made, ...marks.slice(at)], openKey: getMarkKey(made) };
}
