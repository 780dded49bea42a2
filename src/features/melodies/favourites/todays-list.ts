/** A melody of today's list: how many times one wants to sing it. */
type Item = { readonly melodyId: number; readonly times: number };

/** How many times each melody was sung today, by its id. */
export type Sung = Readonly<Record<number, number>>;

export const isDone = ({ melodyId, times }: Item, sung: Sung) => (sung[melodyId] ?? 0) >= times;

/** Where playing the list begins: at what is not done yet; if all is, at the first. Null without any. */
export const firstOf = (list: readonly Item[], sung: Sung): number | null =>
  (list.find((item) => !isDone(item, sung)) ?? list[0])?.melodyId ?? null;

/** The next that is not done: those after the melody, then those before it. Null when there is no other. */
export function nextAfter(list: readonly Item[], sung: Sung, melodyId: number): number | null {
  const at = list.findIndex((item) => item.melodyId === melodyId);
  const inTurn = [...list.slice(at + 1), ...list.slice(0, Math.max(0, at))];
  return inTurn.find((item) => !isDone(item, sung))?.melodyId ?? null;
}

/** What follows once a melody was sung, when the list plays on by itself. */
export type AfterTurn = { do: 'again' } | { do: 'next'; melodyId: number } | { do: 'rest' };

export function afterTurn(list: readonly Item[], sung: Sung, melodyId: number): AfterTurn {
  const item = list.find((each) => each.melodyId === melodyId);
  if (item && !isDone(item, sung)) return { do: 'again' };
  const next = nextAfter(list, sung, melodyId);
  return next === null ? { do: 'rest' } : { do: 'next', melodyId: next };
}

/** The ids with one of them moved so many places; it stays at either end. */
export function moved(ids: readonly number[], id: number, by: number): number[] {
  const from = ids.indexOf(id);
  const to = Math.min(ids.length - 1, Math.max(0, from + by));
  const others = ids.filter((each) => each !== id);
  return [...others.slice(0, to), id, ...others.slice(to)];
}

/** Whole minutes that the list takes as it was recorded; at least 1. Null where no length is known. */
export function minutesOf(list: readonly (Item & { readonly duration: number | null })[]): number | null {
  const seconds = list.reduce((sum, { duration, times }) => sum + (duration ?? 0) * times, 0);
  return seconds === 0 ? null : Math.max(1, Math.round(seconds / 60));
}

export const inTimes = (times: number) => (times === 1 ? 'once' : `${times} times`);
