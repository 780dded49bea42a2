/** The A-B loop, in seconds of the melody: none, only its start set, or active. */
export type Loop =
  | { readonly kind: 'none' }
  | { readonly kind: 'a-set'; readonly a: number }
  | { readonly kind: 'active'; readonly a: number; readonly b: number };

export type Passage = Extract<Loop, { kind: 'active' }>;

export const NO_LOOP: Loop = { kind: 'none' };

/** In seconds. Anything shorter would be a buzz instead of a passage; moving a point can't make the loop shorter. */
export const MIN_PASSAGE_SECONDS = 0.1;

/** Tolerance for late taps: a line that begins up to this long before A belongs to the loop. */
const MAX_TAP_DELAY_SECONDS = 0.3;

/** The position reported after a seek may be this far before the requested one. */
const SEEK_TOLERANCE = 0.05;

/** Sets A and resets an active loop. */
export const setA = (at: number): Loop => ({ kind: 'a-set', a: at });

/** Sets B. Returns null if B would not be after A, or there is no A. */
export function setB(loop: Loop, at: number, length: number): Loop | null {
  if (loop.kind === 'none' || at <= loop.a) return null;
  return createPassage(loop.a, Math.max(at, loop.a + MIN_PASSAGE_SECONDS), length);
}

/** Returns a loop from `a` to `b`, clamped to the melody; null if that leaves no passage. */
export function createPassage(a: number, b: number, length: number): Passage | null {
  const [from, to] = [clamp(a, 0, length), clamp(b, 0, length)];
  return to > from ? { kind: 'active', a: from, b: to } : null;
}

/** Moves A, at most to B. */
export function moveA(loop: Loop, to: number, length: number): Loop {
  if (loop.kind === 'none') return loop;
  if (loop.kind === 'a-set') return setA(clamp(to, 0, length));
  return { ...loop, a: clamp(to, 0, Math.max(0, loop.b - MIN_PASSAGE_SECONDS)) };
}

/** Moves B, at least to A. */
export function moveB(loop: Loop, to: number, length: number): Loop {
  if (loop.kind !== 'active') return loop;
  return { ...loop, b: clamp(to, Math.min(length, loop.a + MIN_PASSAGE_SECONDS), length) };
}

/** Returns the nearest allowed position. */
export const clampToLoop = (loop: Loop, to: number, length: number) =>
  loop.kind === 'active' ? clamp(to, loop.a, loop.b) : clamp(to, 0, length);

/** Returns where playback starts, and where stopping returns to. */
export const getLoopStart = (loop: Loop) => (loop.kind === 'active' ? loop.a : 0);

export const isOutside = (loop: Loop, position: number) =>
  loop.kind === 'active' && (position < loop.a - SEEK_TOLERANCE || position >= loop.b);

/** Whether a line that begins at this moment belongs to the loop; always true without an active loop. */
export const isInLoop = (loop: Loop, begin: number) =>
  loop.kind !== 'active' ||
  (begin >= loop.a - MAX_TAP_DELAY_SECONDS && begin < loop.b - MAX_TAP_DELAY_SECONDS);

/** Moves the loop's end to the melody's real end if it was set to the known end, which is in whole seconds. */
export const moveToRealEnd = (loop: Loop, known: number, real: number): Loop =>
  loop.kind === 'active' && loop.b === known && real > loop.a ? { ...loop, b: real } : loop;

/** Moves the loop's end from the melody's end, or beyond it, to the known end, from which {@link moveToRealEnd} starts. */
export const moveToKnownEnd = (loop: Loop, known: number, end: number): Loop =>
  loop.kind === 'active' && loop.b >= end && known > loop.a ? { ...loop, b: known } : loop;

const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);
