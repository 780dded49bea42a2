import { expect, test } from 'vitest';
import { computeLineConfidences } from './confidence.ts';

const LINES = 4;
const FRAMES = 40;
const lines = Array.from({ length: LINES }, (_, line) => ({
  line,
  from: line * FRAMES,
  to: (line + 1) * FRAMES,
}));
const model = { source: new Int32Array(), lineOf: new Int32Array(), lines };

/** Returns the confidence of lines with this gain and margin, in nats. `told` is the information share. */
const getConfidence = ({ gain, margin, told }: { gain: number; margin: number; told: number }) =>
  computeLineConfidences(
    lines.map(({ from, to }, index) => ({
      ...{ index, gain, start: 0, end: 1, isBeginningKnown: true },
      ...{ from, to: to - 1, firstPlace: from, lastPlace: to - 1 },
    })),
    model,
    {
      ...{ active: LINES * FRAMES, gain: LINES * FRAMES, informationShare: told },
      margins: lines.map(() => margin),
      isDistinct: lines.map(() => true),
    },
  );

test('the confidence in a line is low if its gain or margin is small', () => {
  for (const sure of getConfidence({ gain: 40, margin: 20, told: 1 })) expect(sure).toBeGreaterThan(0.9);
  for (const sure of getConfidence({ gain: 10, margin: 20, told: 1 })) expect(sure).toBeLessThan(0.5);
  for (const sure of getConfidence({ gain: 40, margin: 7, told: 1 })) expect(sure).toBeLessThan(0.5);
});

test('merging frames does not change the confidence in a line', () => {
  expect(getConfidence({ gain: 10, margin: 6, told: 0.5 })).toEqual(
    getConfidence({ gain: 20, margin: 12, told: 1 }),
  );
});
