import { expect, test } from 'vitest';
import { createPlayedSliceTracker } from './played-slices.ts';

/** Simulates playback of a part of the melody, with four time updates a second. All times are in seconds. */
function play(heard: ReturnType<typeof createPlayedSliceTracker>, from: number, to: number, length: number) {
  for (let at = from; at < to; at += 0.25) heard.add(at, Math.min(to, at + 0.25), length);
}

test.each([30, 60, 247, 3600])(
  'a melody of %i s counts as sung only after four fifths of it have been heard',
  (length) => {
    const heard = createPlayedSliceTracker();
    play(heard, 0, length, length);
    expect(heard.end(), 'the whole melody').toBe(true);
    expect(heard.end(), 'nothing since').toBe(false);
    play(heard, 0, length * 0.75, length);
    expect(heard.end(), 'three quarters').toBe(false);
    play(heard, 0, length / 2, length);
    play(heard, 0, length / 2, length);
    expect(heard.end(), 'the same half twice').toBe(false);
    play(heard, 0, length * 0.6, length);
    play(heard, length * 0.5, length, length);
    expect(heard.end(), 'all of it, after going back once').toBe(true);
  },
);

test('a melody of unknown length never counts as sung', () => {
  const heard = createPlayedSliceTracker();
  play(heard, 0, 10, 0);
  expect(heard.end()).toBe(false);
});
