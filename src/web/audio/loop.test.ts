import { expect, test } from 'vitest';
import { fc } from '#testing/properties.ts';
import {
  isLineInLoop,
  clampToLoop,
  isOutsideLoop,
  type Loop,
  moveLoopA,
  moveLoopB,
  NO_LOOP,
  createLoop,
  setLoopA,
  setLoopB,
  MIN_LOOP_SECONDS,
  getLoopStart,
  moveLoopEndToKnownEnd,
  moveLoopEndToDuration,
} from './loop.ts';

const length = 60;
const seconds = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** A time within the melody, before it or after it. */
const anywhere = seconds(-10, 70);
const active = fc
  .tuple(seconds(0, length - MIN_LOOP_SECONDS), seconds(MIN_LOOP_SECONDS, length))
  .map(([a, long]): Loop => ({ kind: 'active', a, b: Math.min(length, a + long) }));
const loops = fc.oneof(fc.constant(NO_LOOP), seconds(0, length).map(setLoopA), active);

/**
 * If the loop is active, expects it to lie within the melody and to have at least the minimum length, apart
 * from rounding errors.
 */
function expectPlayable(loop: Loop | null) {
  if (loop?.kind !== 'active') return;
  expect(loop.a).toBeGreaterThanOrEqual(0);
  expect(loop.b).toBeLessThanOrEqual(length);
  expect(loop.b - loop.a).toBeGreaterThan(MIN_LOOP_SECONDS - 1e-9);
}

test('moving A or B keeps the loop in the melody and no shorter than the minimum', () => {
  const staysPlayable = fc.property(loops, fc.array(fc.tuple(fc.boolean(), anywhere)), (loop, moves) => {
    const moved = moves.reduce((now, [first, to]) => (first ? moveLoopA : moveLoopB)(now, to, length), loop);
    expect(moved.kind).toBe(loop.kind);
    expectPlayable(moved);
  });
  fc.assert(staysPlayable);
});

test('moving A does not move B, and moving B does not move A', () => {
  const leavesOther = fc.property(active, anywhere, (loop, to) => {
    expect(moveLoopA(loop, to, length)).toMatchObject({ b: (loop as { b: number }).b });
    expect(moveLoopB(loop, to, length)).toMatchObject({ a: (loop as { a: number }).a });
  });
  fc.assert(leavesOther);
});

test('setting B creates a passage only if B is after A', () => {
  const isAfter = fc.property(seconds(0, length - MIN_LOOP_SECONDS), anywhere, (a, at) => {
    const loop = setLoopB(setLoopA(a), at, length);
    expectPlayable(loop);
    expect(loop?.kind).toBe(at > a ? 'active' : undefined);
    if (loop?.kind === 'active') expect(loop.a).toBe(a);
  });
  fc.assert(isAfter);
  expect(setLoopB(NO_LOOP, 5, length)).toBeNull();
});

test('clamps a new passage to the melody, and returns null if nothing remains', () => {
  const liesWithin = fc.property(anywhere, anywhere, (a, b) => {
    const made = createLoop(a, b, length);
    const isEmpty = b <= a || b <= 0 || a >= length;
    const within = { kind: 'active', a: Math.max(a, 0), b: Math.min(b, length) };
    expect(made).toEqual(isEmpty ? null : within);
  });
  fc.assert(liesWithin);
});

test('clampToLoop moves a position into the loop or melody only if it is outside', () => {
  const isAllowed = fc.property(loops, anywhere, (loop, to) => {
    const at = clampToLoop(loop, to, length);
    expect(at).toBeGreaterThanOrEqual(getLoopStart(loop));
    expect(at).toBeLessThanOrEqual(loop.kind === 'active' ? loop.b : length);
    expect(clampToLoop(loop, at, length)).toBe(at);
  });
  fc.assert(isAllowed);
});

test('positions from A up to, but not including, B are inside the loop', () => {
  const isInside = fc.property(active, seconds(0, 1), (loop, part) => {
    const { a, b } = loop as Extract<Loop, { kind: 'active' }>;
    const at = a + (b - a) * part;
    expect(isOutsideLoop(loop, at)).toBe(at >= b);
    expect(isOutsideLoop(loop, b)).toBe(true);
    expect(isOutsideLoop(loop, a - 0.06)).toBe(true);
  });
  fc.assert(isInside);
  expect(isOutsideLoop(NO_LOOP, 1e9)).toBe(false);
});

test('a loop includes a line that begins just before A, but not one just before B', () => {
  const loop: Loop = { kind: 'active', a: 10, b: 20 };
  expect([9.6, 9.8, 10, 19.6, 19.8, 20].map((begin) => isLineInLoop(loop, begin))).toEqual([
    ...[false, true, true],
    ...[true, false, false],
  ]);
  expect(isLineInLoop(setLoopA(10), 5)).toBe(true);
});

test('moves a loop end at the known (whole-second) end to the real end', () => {
  const loop: Loop = { kind: 'active', a: 10, b: 20 };
  expect(moveLoopEndToDuration(loop, 20, 20.4)).toEqual({ ...loop, b: 20.4 });
  expect(moveLoopEndToDuration(loop, 20, 9)).toBe(loop);
  expect(moveLoopEndToDuration(loop, 21, 21.4)).toBe(loop);
});

test('moves a loop end at or after the real end to the known (whole-second) end', () => {
  const loop: Loop = { kind: 'active', a: 10, b: 20.4 };
  expect(moveLoopEndToKnownEnd(loop, 20, 20.4)).toEqual({ ...loop, b: 20 });
  expect(moveLoopEndToKnownEnd({ ...loop, b: 19.6 }, 20, 19.6)).toEqual({ ...loop, b: 20 });
  expect(moveLoopEndToKnownEnd(loop, 20, 20)).toEqual({ ...loop, b: 20 });
  expect(moveLoopEndToKnownEnd({ ...loop, b: 15 }, 20, 20.4)).toEqual({ ...loop, b: 15 });
  expect(moveLoopEndToKnownEnd({ ...loop, a: 20.1 }, 20, 20.4)).toEqual({ ...loop, a: 20.1 });
});
