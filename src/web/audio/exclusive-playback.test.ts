import { expect, test } from 'vitest';
import { createExclusivePlayback } from './exclusive-playback.ts';
import type { PlayableMedia } from './exclusive-playback.ts';

test('starting a player pauses the player that was playing', () => {
  const onePlaying = createExclusivePlayback();
  const [first, second] = [new FakePlayer(), new FakePlayer()];
  onePlaying.add(first);
  onePlaying.add(second);
  first.play();
  second.play();
  expect([first.paused, second.paused]).toEqual([true, false]);
});

test('pauseAll pauses all players except those that have left the page', () => {
  const onePlaying = createExclusivePlayback();
  const [stays, leaves] = [new FakePlayer(), new FakePlayer()];
  onePlaying.add(stays);
  const leave = onePlaying.add(leaves);
  leave();
  stays.play();
  leaves.play();
  expect(stays.paused).toBe(false);
  onePlaying.pauseAll();
  expect([stays.paused, leaves.paused]).toEqual([true, false]);
});

class FakePlayer extends EventTarget implements PlayableMedia {
  paused = true;

  play(): void {
    this.paused = false;
    this.dispatchEvent(new Event('play'));
  }

  pause(): void {
    this.paused = true;
  }
}
