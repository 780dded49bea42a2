/** Entry of today's list: `times` is how often the student wants to sing it. */
type Item = { readonly melodyId: number; readonly times: number };

/** Number of times each melody was sung today, by melody id. */
export type SungCounts = Readonly<Record<number, number>>;

export const isTodaysItemDone = ({ melodyId, times }: Item, sung: SungCounts) =>
  (sung[melodyId] ?? 0) >= times;

/**
 * Returns the id of the melody to start with: the first unfinished melody, or the first melody if all are
 * done. Null if the list is empty.
 */
export const getFirstUnfinishedMelodyId = (list: readonly Item[], sung: SungCounts): number | null =>
  (list.find((item) => !isTodaysItemDone(item, sung)) ?? list[0])?.melodyId ?? null;

/**
 * Returns the id of the next unfinished melody, searching after the given melody and then from the start.
 * Null if no other melody is unfinished.
 */
export function getNextUnfinishedMelodyId(
  list: readonly Item[],
  sung: SungCounts,
  melodyId: number,
): number | null {
  const at = list.findIndex((item) => item.melodyId === melodyId);
  const inTurn = [...list.slice(at + 1), ...list.slice(0, Math.max(0, at))];
  return inTurn.find((item) => !isTodaysItemDone(item, sung))?.melodyId ?? null;
}

/** Next action when a melody ends while today's list plays automatically. */
export type TodaysNextStep = { kind: 'again' } | { kind: 'next'; melodyId: number } | { kind: 'rest' };

export function getTodaysNextStep(list: readonly Item[], sung: SungCounts, melodyId: number): TodaysNextStep {
  const item = list.find((each) => each.melodyId === melodyId);
  if (item && !isTodaysItemDone(item, sung)) return { kind: 'again' };
  const next = getNextUnfinishedMelodyId(list, sung, melodyId);
  return next === null ? { kind: 'rest' } : { kind: 'next', melodyId: next };
}

/** Moves an id by a number of places, but not beyond either end of the list. */
export function moveId(ids: readonly number[], id: number, by: number): number[] {
  const from = ids.indexOf(id);
  const to = Math.min(ids.length - 1, Math.max(0, from + by));
  const others = ids.filter((each) => each !== id);
  return [...others.slice(0, to), id, ...others.slice(to)];
}

/**
 * Estimates how long it takes to sing the whole list, from the lengths of its melodies. Returns whole minutes,
 * at least 1, or null if no length is known.
 */
export function estimateListMinutes(
  list: readonly (Item & { readonly duration: number | null })[],
): number | null {
  const seconds = list.reduce((sum, { duration, times }) => sum + (duration ?? 0) * times, 0);
  return seconds === 0 ? null : Math.max(1, Math.round(seconds / 60));
}

export const formatRepetitions = (times: number) => (times === 1 ? '1 time' : `${times} times`);
