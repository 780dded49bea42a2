import { FASTEST, rateOnStep, SLOWEST } from './engine/practice.ts';

/** Where and how fast the player begins, as its address says; what it does not say is as it was left. */
export type PlayerStart = {
  /** Seconds. */
  readonly at: number | null;
  /** Index of a sung line. */
  readonly line: number | null;
  readonly rate: number | null;
};

/** The address that opens a melody's player, at a sung line (its index) and a speed if wanted: `?play=7&line=3&speed=0.75`. */
export function playerAddress(melodyId: number, { line = null, rate = null }: Partial<PlayerStart> = {}) {
  const search = new URLSearchParams({ play: String(melodyId) });
  if (line !== null) search.set('line', String(line + 1));
  if (rate !== null) search.set('speed', String(rateOnStep(rate)));
  return `/melodies?${search.toString()}`;
}

/** Anything can be typed into an address: what can't be is left out. */
export function startIn(search: URLSearchParams): PlayerStart {
  const [at, line, rate] = ['at', 'line', 'speed'].map((name) => numberIn(search.get(name)));
  return {
    at: at ?? null,
    line: typeof line === 'number' && Number.isInteger(line) && line > 0 ? line - 1 : null,
    rate: typeof rate === 'number' && rate >= SLOWEST && rate <= FASTEST ? rateOnStep(rate) : null,
  };
}

/** The address of the same page with another player, or none. */
export function addressWith(before: URLSearchParams, play: string | null) {
  const next = new URLSearchParams(before);
  for (const name of ['at', 'line', 'speed', 'list']) next.delete(name);
  if (play === null) next.delete('play');
  else next.set('play', play);
  return next;
}

const numberIn = (text: string | null) =>
  text !== null && /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : null;
