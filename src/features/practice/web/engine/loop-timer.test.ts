import { expect, test } from 'vitest';
import { createLoopTimer } from './loop-timer.ts';
import { FakeClock } from './player-fakes.ts';

test('a loop ends on time although the position is reported in 50 ms steps', () => {
  const { clock, endings, begin } = createTimer({ step: 0.05, end: 0.98 });
  begin();
  clock.advance(1_200);
  expect(endings.length).toBe(1);
  expect(Math.abs(endings[0]! - 0.98)).toBeLessThan(0.01);
});

test('the timer does not fire if the position stops changing', () => {
  const { clock, endings } = createTimer({ step: Infinity, end: 0.05 });
  clock.advance(10_000);
  expect(endings).toEqual([]);
});

/** Creates a timer for a position reported in steps. `endings` are the true positions at which it fired. */
function createTimer({ step, end }: { step: number; end: number }) {
  const clock = new FakeClock();
  const begun = clock.now();
  const really = () => (clock.now() - begun) / 1000;
  const endings: number[] = [];
  let isOver = false;
  const timer = createLoopTimer({
    clock,
    position: () => (step === Infinity ? 0 : Math.floor(really() / step) * step),
    end: () => (isOver ? null : end),
    rate: () => 1,
    onEnd() {
      isOver = true;
      endings.push(really());
    },
  });
  timer.schedule();
  return { clock, endings, begin: timer.schedule };
}
