import { expect, test } from 'vitest';
import { scrollSmoothly } from './scroll-smoothly.ts';

const FRAME_MS = 16;

test('scrolls smoothly to the target in less than 200 ms', () => {
  const { scroller, environment, frames } = screen();
  scrollSmoothly(scroller, 300, environment);
  const places = frames(13).map(Math.round);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeLessThan(200);
  expect(scroller.scrollTop).toBe(400);
  expect(environment.waits()).toBe(false);
});

test('scrolls in one step if the user prefers reduced motion', () => {
  const { scroller, environment } = screen({ wantsMotion: false });
  scrollSmoothly(scroller, -80, environment);
  expect([scroller.scrollTop, environment.waits()]).toEqual([20, false]);
});

test('stopping the animation leaves the text where it is', () => {
  const { scroller, environment, frames } = screen();
  const end = scrollSmoothly(scroller, 300, environment);
  frames(3);
  const { scrollTop } = scroller;
  end();
  frames(20);
  expect(scroller.scrollTop).toBe(scrollTop);
  expect(scrollTop).toBeLessThan(400);
});

/** Creates a scroller at 100 px, and animation frames that the test advances. */
function screen({ wantsMotion = true } = {}) {
  const scroller = { scrollTop: 100 };
  let time = 1_000;
  let waiting: (() => void) | null = null;
  const environment = {
    wantsMotion: () => wantsMotion,
    now: () => time,
    atFrame(action: () => void) {
      waiting = action;
      return () => void (waiting = null);
    },
    waits: () => waiting !== null,
  };
  const frame = () => {
    time += FRAME_MS;
    const action = waiting;
    waiting = null;
    action?.();
    return scroller.scrollTop;
  };
  return { scroller, environment, frames: (count: number) => Array.from({ length: count }, frame) };
}
