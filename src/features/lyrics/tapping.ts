import { roundToHundredths } from './lrc.ts';
import { normalizeLineStarts, type SungLineStart } from './timings.ts';

/** The state while a teacher times a text by tapping. */
export type TappingState = {
  /** Sorted by time. */
  passages: readonly SungLineStart[];
  /** Index of the sung line to tap next, or the number of lines when all lines are done. */
  next: number;
  /** The state before each step, newest last. */
  past: readonly Omit<TappingState, 'past'>[];
};

/** Minimum distance between two times. A tap closer to another time counts as accidental. */
const MIN_TAP_DISTANCE_SECONDS = 0.2;
const MAX_UNDO_STEPS = 500;

/** Creates the state for tapping, starting with the line after the last timed line. */
export const startTapping = (passages: readonly SungLineStart[]): TappingState => ({
  passages: normalizeLineStarts(passages),
  next: (normalizeLineStarts(passages).at(-1)?.index ?? -1) + 1,
  past: [],
});

/**
 * Sets the time of the next line, replacing any previous time. Ignores accidental taps, and taps after the
 * last line.
 */
export function tapLine(state: TappingState, seconds: number, lineCount: number): TappingState {
  const start = roundToHundredths(Math.max(0, seconds));
  if (state.next >= lineCount) return state;
  const others = state.passages.filter(({ index }) => index !== state.next);
  if (others.some((passage) => Math.abs(passage.start - start) < MIN_TAP_DISTANCE_SECONDS)) return state;
  return withStep(state, {
    passages: normalizeLineStarts([...others, { index: state.next, start }]),
    next: state.next + 1,
  });
}

/** Reverts the last step of any kind, such as a tap, a nudge, an import or clearing. */
export function undoTappingStep(state: TappingState): TappingState {
  const before = state.past.at(-1);
  return before ? { ...before, past: state.past.slice(0, -1) } : state;
}

/** Removes the times of a passage and of all passages after it. The line of that passage is tapped next. */
export function tapAgainFrom(state: TappingState, place: number): TappingState {
  const passage = state.passages[place];
  if (!passage) return state;
  return withStep(state, { passages: state.passages.slice(0, place), next: passage.index });
}

/** Makes a line the next line to tap, and keeps all times. */
export const continueTappingFrom = (state: TappingState, index: number): TappingState =>
  withStep(state, { passages: state.passages, next: index });

/** Moves a passage's start by the given seconds, but not before 0 or past its neighbours. */
export function nudgeLineStart(state: TappingState, place: number, seconds: number): TappingState {
  const passage = state.passages[place];
  if (!passage) return state;
  const least = (state.passages[place - 1]?.start ?? -0.01) + 0.01;
  const most = (state.passages[place + 1]?.start ?? Infinity) - 0.01;
  const start = roundToHundredths(Math.min(most, Math.max(least, passage.start + seconds)));
  if (start === passage.start || most < least) return state;
  return withStep(state, {
    ...state,
    passages: state.passages.map((each) => (each === passage ? { ...each, start } : each)),
  });
}

export function removeLineStart(state: TappingState, place: number): TappingState {
  const passage = state.passages[place];
  if (!passage) return state;
  return withStep(state, {
    passages: state.passages.filter((each) => each !== passage),
    next: passage.index,
  });
}

export const clearLineStarts = (state: TappingState): TappingState =>
  withStep(state, { passages: [], next: 0 });

/** Replaces all times with imported times. */
export const replaceLineStarts = (state: TappingState, passages: readonly SungLineStart[]): TappingState =>
  withStep(state, { ...startTapping(passages) });

function withStep(before: TappingState, after: Omit<TappingState, 'past'>): TappingState {
  const { passages, next, past } = before;
  return {
    passages: after.passages,
    next: after.next,
    past: [...past, { passages, next }].slice(-MAX_UNDO_STEPS),
  };
}
