import type { Passage } from '#web/audio/loop.ts';

/** The part of a melody that its waveform shows, in seconds. */
export type View = { readonly from: number; readonly to: number };

/** Shortest view, in seconds. Any closer, the bars show nothing useful. */
const CLOSEST = 2;

export const wholeOf = (length: number): View => ({ from: 0, to: length });

/** Returns a view of `span` seconds around `middle`, within the melody. */
function viewOf(middle: number, span: number, length: number): View {
  const held = Math.min(length, Math.max(CLOSEST, span));
  const from = Math.min(Math.max(0, middle - held / 2), length - held);
  return { from, to: from + held };
}

/** Returns a view of the loop with half of its length on either side. */
export const viewAround = ({ a, b }: Pick<Passage, 'a' | 'b'>, length: number) =>
  viewOf((a + b) / 2, (b - a) * 2, length);

/** Zooms in by a factor, or out if it is below 1, keeping `at` in place. */
export function zoomed({ from, to }: View, factor: number, at: number, length: number): View {
  const span = (to - from) / factor;
  const share = to > from ? (at - from) / (to - from) : 0.5;
  return viewOf(at - span * share + span / 2, span, length);
}

/** Moves the view to contain a position. Returns the same object if it already does. */
export const movedTo = (view: View, position: number, length: number): View =>
  position >= view.from && position <= view.to ? view : viewOf(position, view.to - view.from, length);

export const isWhole = ({ from, to }: View, length: number) => from <= 0 && to >= length;

/** Returns where a time is in the view: 0 at its beginning, 1 at its end. */
export const shareAt = ({ from, to }: View, seconds: number) =>
  to > from ? (seconds - from) / (to - from) : 0;
