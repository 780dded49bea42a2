import { MAX_PLAYBACK_RATE, roundPlaybackRate, MIN_PLAYBACK_RATE } from './engine/practice-settings.ts';

/** Start position and speed of the player, from its URL. Null means that the stored settings apply. */
export type PlayerStart = {
  /** In seconds. */
  readonly at: number | null;
  /** Index of a sung line. */
  readonly line: number | null;
  readonly rate: number | null;
};

/**
 * Returns the URL of a melody's player, optionally with a sung line and a speed: `?play=7&line=3&speed=0.75`.
 * The URL counts lines from 1.
 */
export function getPlayerUrl(melodyId: number, { line = null, rate = null }: Partial<PlayerStart> = {}) {
  const search = new URLSearchParams({ play: String(melodyId) });
  if (line !== null) search.set('line', String(line + 1));
  if (rate !== null) search.set('speed', String(roundPlaybackRate(rate)));
  return `/melodies?${search.toString()}`;
}

/** Parses start position and speed from a URL, ignoring invalid values. */
export function parsePlayerStart(search: URLSearchParams): PlayerStart {
  const [at, line, rate] = ['at', 'line', 'speed'].map((name) => parseNumber(search.get(name)));
  return {
    at: at ?? null,
    line: typeof line === 'number' && Number.isInteger(line) && line > 0 ? line - 1 : null,
    rate:
      typeof rate === 'number' && rate >= MIN_PLAYBACK_RATE && rate <= MAX_PLAYBACK_RATE
        ? roundPlaybackRate(rate)
        : null,
  };
}

/**
 * Returns the search parameters that open a melody's player on the same page.
 * @param play id of the melody, or null to close the player
 */
export function buildPlayerSearchParams(before: URLSearchParams, play: string | null) {
  const next = new URLSearchParams(before);
  for (const name of ['at', 'line', 'speed', 'list']) next.delete(name);
  if (play === null) next.delete('play');
  else next.set('play', play);
  return next;
}

const parseNumber = (text: string | null) =>
  text !== null && /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : null;
