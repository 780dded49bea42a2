import { expect, test } from 'vitest';
import { fc } from '#testing/properties.ts';
import {
  startTapping,
  clearLineStarts,
  continueTappingFrom,
  nudgeLineStart,
  removeLineStart,
  replaceLineStarts,
  tapLine,
  tapAgainFrom,
  undoTappingStep,
} from './tapping.ts';

const tapped = (...times: number[]) => times.reduce((state, at) => tapLine(state, at, 4), startTapping([]));
const starts = ({ passages }: { passages: readonly { start: number }[] }) =>
  passages.map(({ start }) => start);

test('each tap times the next line, until all lines are timed', () => {
  const state = tapped(1, 2.004, 3, 4, 5);
  expect(state.passages).toEqual([
    { index: 0, start: 1 },
    { index: 1, start: 2 },
    { index: 2, start: 3 },
    { index: 3, start: 4 },
  ]);
  expect(state.next).toBe(4);
});

test('ignores a second tap 0.15 s after the first', () =>
  expect(tapped(1, 1.15, 2).passages).toHaveLength(2));

test('undo reverts taps, clearing and imports one step at a time', () => {
  const state = tapped(1, 2);
  expect(undoTappingStep(state)).toMatchObject({ next: 1, passages: [{ index: 0, start: 1 }] });
  expect(undoTappingStep(undoTappingStep(undoTappingStep(state)))).toMatchObject({ next: 0, passages: [] });
  expect(starts(undoTappingStep(clearLineStarts(state)))).toEqual([1, 2]);
  expect(starts(undoTappingStep(replaceLineStarts(state, [{ index: 3, start: 9 }])))).toEqual([1, 2]);
});

test('tapping continues after the last timed line, or from a chosen line', () => {
  const state = startTapping([
    { index: 1, start: 5 },
    { index: 0, start: 2 },
  ]);
  expect(state.next).toBe(2);
  const again = tapAgainFrom(state, 1);
  expect(again).toMatchObject({ next: 1, passages: [{ index: 0, start: 2 }] });
  expect(starts(tapLine(again, 6, 4))).toEqual([2, 6]);
});

test('tapping a line again replaces its time', () => {
  const state = tapLine(continueTappingFrom(tapped(1, 4, 7), 1), 4.6, 4);
  expect(starts(state)).toEqual([1, 4.6, 7]);
});

test('nudging moves a time, but not past its neighbours or before 0', () => {
  const state = tapped(0.05, 2, 2.3);
  expect(starts(nudgeLineStart(state, 1, 0.1))).toEqual([0.05, 2.1, 2.3]);
  expect(starts(nudgeLineStart(nudgeLineStart(nudgeLineStart(state, 1, 0.1), 1, 0.1), 1, 0.1))).toEqual([
    0.05, 2.29, 2.3,
  ]);
  expect(starts(nudgeLineStart(state, 0, -0.1))).toEqual([0, 2, 2.3]);
  expect(nudgeLineStart(state, 9, 0.1)).toBe(state);
});

test('removing a time makes its line the next to tap', () => {
  expect(removeLineStart(tapped(1, 2, 3), 1)).toMatchObject({
    next: 1,
    passages: [{ start: 1 }, { start: 3 }],
  });
});

test('after any sequence of steps, times are in order and every step can be undone', () => {
  type State = ReturnType<typeof startTapping>;
  const seconds = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const line = fc.nat(8);
  const step = fc.oneof(
    seconds(0, 60).map((at) => (state: State) => tapLine(state, at, 8)),
    fc.tuple(line, seconds(-0.5, 0.5)).map(
      ([at, by]) =>
        (state: State) =>
          nudgeLineStart(state, at, by),
    ),
    line.map((from) => (state: State) => tapAgainFrom(state, from)),
    line.map((from) => (state: State) => continueTappingFrom(state, from)),
    line.map((at) => (state: State) => removeLineStart(state, at)),
  );
  const staysInOrder = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
    let state = startTapping([]);
    for (const next of steps) {
      state = next(state);
      expect(starts(state)).toEqual(starts(state).toSorted((a, b) => a - b));
      expect(starts(state).every((start) => start >= 0)).toBe(true);
    }
    while (state.past.length > 0) state = undoTappingStep(state);
    expect(state).toMatchObject({ passages: [], next: 0 });
  });
  fc.assert(staysInOrder);
});
