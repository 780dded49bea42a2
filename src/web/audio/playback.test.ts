import { expect, test } from 'vitest';
import { createOnePlaying } from './playback.ts';
import type { Playable } from './playback.ts';

test('starting one player pauses the one that plays', () => {
  const onePlaying = createOnePlaying();
  const [first, second] = [new FakePlayer(), new FakePlayer()];
  onePlaying.join(first);
  onePlaying.join(second);
  first.play();
  second.play();
  expect([first.paused, second.paused]).toEqual([true, false]);
});

test('all can be silenced, and one that has left is let alone', () => {
  const onePlaying = createOnePlaying();
  const [stays, leaves] = [new FakePlayer(), new FakePlayer()];
  onePlaying.join(stays);
  const leave = onePlaying.join(leaves);
  leave();
  stays.play();
  leaves.play();
  expect(stays.paused).toBe(false);
  onePlaying.pauseAll();
  expect([stays.paused, leaves.paused]).toEqual([true, false]);
});

class FakePlayer extends EventTarget implements Playable {
  paused = true;

  play(): void {
    this.paused = false;
    this.dispatchEvent(new Event('play'));
  }

  pause(): void {
    this.paused = true;
  }
}
