import { expect, test } from 'vitest';
import { PeakMeter } from './peaks.ts';

/** Returns the progress reports for audio of this duration that is decoded second by second. */
function reportsOf(seconds: number) {
  const reports: number[] = [];
  const meter = new PeakMeter(seconds, (fraction) => reports.push(fraction));
  for (let second = 0; second < seconds; second += 1) meter.add(new Float32Array(1), 1, 1, second);
  return reports;
}

test('PeakMeter reports progress every two minutes of audio, and at most 25 times', () => {
  expect(reportsOf(119)).toEqual([]);
  expect(reportsOf(300)).toEqual([0.4, 0.8]);
  const ofThreeHours = reportsOf(3 * 60 * 60);
  expect(ofThreeHours).toHaveLength(25);
  expect([ofThreeHours[0], ofThreeHours.at(-1)]).toEqual([0.04, 1]);
});
