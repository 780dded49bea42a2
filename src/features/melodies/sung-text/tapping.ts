import { hundredths } from './lrc.ts';
import { inOrder, type Passage } from './timings.ts';

/** Timing by tapping, as far as it has come. */
export type Tapping = {
  /** In the order of time. */
  passages: readonly Passage[];
  /** The sung line whose beginning is tapped next; the number of lines when all have had their turn. */
  next: number;
  /** What was before each step, the youngest last. */
  past: readonly Omit<Tapping, 'past'>[];
};

/** Two taps within this many seconds are one that slipped. */
const SLIP = 0.2;
const STEPS_BACK = 500;

/** Continues behind the last line that has a time. */
export const beginTapping = (passages: readonly Passage[]): Tapping => ({
  passages: inOrder(passages),
  next: (inOrder(passages).at(-1)?.index ?? -1) + 1,
  past: [],
});

/** The next line begins now; if it has a time already, that gives way. */
export function tap(state: Tapping, seconds: number, lineCount: number): Tapping {
  const start = hundredths(Math.max(0, seconds));
  if (state.next >= lineCount) return state;
  const others = state.passages.filter(({ index }) => index !== state.next);
  if (others.some((passage) => Math.abs(passage.start - start) < SLIP)) return state;
  return step(state, {
    passages: inOrder([...others, { index: state.next, start }]),
    next: state.next + 1,
  });
}

/** The step before, whatever it was: a tap, a nudge, a file, a clearing. */
export function undo(state: Tapping): Tapping {
  const before = state.past.at(-1);
  return before ? { ...before, past: state.past.slice(0, -1) } : state;
}

/** A passage and all that come after it lose their times, and its line is tapped next. */
export function tapAgainFrom(state: Tapping, place: number): Tapping {
  const passage = state.passages[place];
  if (!passage) return state;
  return step(state, { passages: state.passages.slice(0, place), next: passage.index });
}

/** The line is tapped next; every time that there is stays. */
export const continueFrom = (state: Tapping, index: number): Tapping =>
  step(state, { passages: state.passages, next: index });

/** Moves one passage by some seconds, not past its neighbours. */
export function nudge(state: Tapping, place: number, seconds: number): Tapping {
  const passage = state.passages[place];
  if (!passage) return state;
  const least = (state.passages[place - 1]?.start ?? -0.01) + 0.01;
  const most = (state.passages[place + 1]?.start ?? Infinity) - 0.01;
  const start = hundredths(Math.min(most, Math.max(least, passage.start + seconds)));
  if (start === passage.start || most < least) return state;
  return step(state, { ...state, passages: state.passages.with(place, { ...passage, start }) });
}

export function remove(state: Tapping, place: number): Tapping {
  const passage = state.passages[place];
  if (!passage) return state;
  return step(state, { passages: state.passages.toSpliced(place, 1), next: passage.index });
}

export const clear = (state: Tapping): Tapping => step(state, { passages: [], next: 0 });

/** Times from elsewhere take the place of all. */
export const replace = (state: Tapping, passages: readonly Passage[]): Tapping =>
  step(state, { ...beginTapping(passages) });

function step(before: Tapping, after: Omit<Tapping, 'past'>): Tapping {
  const { passages, next, past } = before;
  return {
    passages: after.passages,
    next: after.next,
    past: [...past, { passages, next }].slice(-STEPS_BACK),
  };
}
