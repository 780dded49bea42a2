import type { ActiveLoop } from '#web/audio/loop.ts';

/** The part of a melody that its waveform shows, in seconds. */
export type WaveformView = { readonly from: number; readonly to: number };

/** Shortest view, in seconds. At a higher zoom, the bars show nothing useful. */
const MIN_VIEW_SECONDS = 2;

export const getWholeView = (length: number): WaveformView => ({ from: 0, to: length });

/**
 * Returns a view of `span` seconds around `middle`, at least `MIN_VIEW_SECONDS` long and within the melody.
 */
function createView(middle: number, span: number, length: number): WaveformView {
  const clampedSpan = Math.min(length, Math.max(MIN_VIEW_SECONDS, span));
  const from = Math.min(Math.max(0, middle - clampedSpan / 2), length - clampedSpan);
  return { from, to: from + clampedSpan };
}

/** Returns a view of the loop with half of its length on either side. */
export const createViewAroundLoop = ({ a, b }: Pick<ActiveLoop, 'a' | 'b'>, length: number) =>
  createView((a + b) / 2, (b - a) * 2, length);

/** Zooms in by a factor (or out if the factor is below 1), keeping `at` in place. */
export function zoomView(
  { from, to }: WaveformView,
  factor: number,
  at: number,
  length: number,
): WaveformView {
  const span = (to - from) / factor;
  const share = to > from ? (at - from) / (to - from) : 0.5;
  return createView(at - span * share + span / 2, span, length);
}

/** Moves the view to contain a position. Returns the same object if the view already contains it. */
export const moveViewTo = (view: WaveformView, position: number, length: number): WaveformView =>
  position >= view.from && position <= view.to ? view : createView(position, view.to - view.from, length);

export const isWholeView = ({ from, to }: WaveformView, length: number) => from <= 0 && to >= length;

/**
 * Returns a time as a fraction of the view: 0 at its beginning, 1 at its end, and less than 0 or more than 1
 * for times outside the view.
 */
export const toViewFraction = ({ from, to }: WaveformView, seconds: number) =>
  to > from ? (seconds - from) / (to - from) : 0;
