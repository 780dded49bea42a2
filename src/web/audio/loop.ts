/** The A-B loop, in seconds from the start of the melody: none, only its start set, or active. */
export type Loop =
  | { readonly kind: 'none' }
  | { readonly kind: 'a-set'; readonly a: number }
  | { readonly kind: 'active'; readonly a: number; readonly b: number };

export type ActiveLoop = Extract<Loop, { kind: 'active' }>;

export const NO_LOOP: Loop = { kind: 'none' };

/**
 * Minimum length of a passage, in seconds. A shorter loop would be heard as a buzz, so moving A or B can't make
 * it shorter.
 */
export const MIN_LOOP_SECONDS = 0.1;

/**
 * Tolerance for late taps on A and B: a line that begins up to this long before A belongs to the loop, and a
 * line that begins up to this long before B does not.
 */
const MAX_TAP_DELAY_SECONDS = 0.3;

/** Tolerance, in seconds, for a seek that ends slightly before the requested position. */
const SEEK_TOLERANCE = 0.05;

/** Returns a loop with only A set. */
export const setLoopA = (at: number): Loop => ({ kind: 'a-set', a: at });

/**
 * Returns the loop from A to `at`, extended to MIN_LOOP_SECONDS if shorter, and clamped to the melody. Null
 * if A is not set, `at` is not after A, or no passage is left.
 */
export function setLoopB(loop: Loop, at: number, length: number): Loop | null {
  if (loop.kind === 'none' || at <= loop.a) return null;
  return createLoop(loop.a, Math.max(at, loop.a + MIN_LOOP_SECONDS), length);
}

/** Returns a loop from `a` to `b`, clamped to the melody; null if that leaves no passage. */
export function createLoop(a: number, b: number, length: number): ActiveLoop | null {
  const [from, to] = [clamp(a, 0, length), clamp(b, 0, length)];
  return to > from ? { kind: 'active', a: from, b: to } : null;
}

/**
 * Moves A within the melody, at least MIN_LOOP_SECONDS before B. Returns the loop unchanged if A is not set.
 */
export function moveLoopA(loop: Loop, to: number, length: number): Loop {
  if (loop.kind === 'none') return loop;
  if (loop.kind === 'a-set') return setLoopA(clamp(to, 0, length));
  return { ...loop, a: clamp(to, 0, Math.max(0, loop.b - MIN_LOOP_SECONDS)) };
}

/**
 * Moves B within the melody, at least MIN_LOOP_SECONDS after A. Returns the loop unchanged if B is not set.
 */
export function moveLoopB(loop: Loop, to: number, length: number): Loop {
  if (loop.kind !== 'active') return loop;
  return { ...loop, b: clamp(to, Math.min(length, loop.a + MIN_LOOP_SECONDS), length) };
}

/** Returns the position nearest to `to` within the active loop, or else within the melody. */
export const clampToLoop = (loop: Loop, to: number, length: number) =>
  loop.kind === 'active' ? clamp(to, loop.a, loop.b) : clamp(to, 0, length);

/** Returns the position at which playback starts, and to which it returns when stopped. */
export const getLoopStart = (loop: Loop) => (loop.kind === 'active' ? loop.a : 0);

export const isOutsideLoop = (loop: Loop, position: number) =>
  loop.kind === 'active' && (position < loop.a - SEEK_TOLERANCE || position >= loop.b);

/** Returns whether a line that begins at this time belongs to the loop; always true without an active loop. */
export const isLineInLoop = (loop: Loop, begin: number) =>
  loop.kind !== 'active' ||
  (begin >= loop.a - MAX_TAP_DELAY_SECONDS && begin < loop.b - MAX_TAP_DELAY_SECONDS);

/** Moves the end of a loop that ends at the melody's known end (rounded to whole seconds) to the real end. */
export const moveLoopEndToDuration = (loop: Loop, known: number, real: number): Loop =>
  loop.kind === 'active' && loop.b === known && real > loop.a ? { ...loop, b: real } : loop;

/**
 * Moves the end of a loop that ends at or after `end` to the melody's known end. Once the real end is known,
 * {@link moveLoopEndToDuration} moves it there.
 * @param end the melody's real end; the known end while the real end is unknown
 */
export const moveLoopEndToKnownEnd = (loop: Loop, known: number, end: number): Loop =>
  loop.kind === 'active' && loop.b >= end && known > loop.a ? { ...loop, b: known } : loop;

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
