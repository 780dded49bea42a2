import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FakeAudio, FakeAudioWithSource } from '#web/audio/passage-fakes.ts';
import { createExclusivePlayback } from '#web/audio/exclusive-playback.ts';
import { createLinePlayer } from './line-player.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const hers = { voice: 'Hers', src: '/song', start: 4, end: 6 };
const mine = { voice: 'Mine', src: '/take', start: 10, end: 11 };

function setUp() {
  const sounds: FakeAudioWithSource[] = [];
  const playing = createExclusivePlayback();
  const player = createLinePlayer({
    newAudio: () => sounds[sounds.push(new FakeAudioWithSource()) - 1] as unknown as HTMLAudioElement,
    playing,
  });
  const sounding = () => sounds.flatMap(({ paused, src }) => (paused ? [] : [src]));
  return { sounds, playing, player, sounding };
}
const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);

test('plays a line to its end, or until its button is pressed again', async () => {
  const { sounds, player, sounding } = setUp();
  player.togglePassages('3 Hers', [hers]);
  await pass(1.9);
  expect(sounding()).toEqual(['/song']);
  expect(sounds[0]!.currentTime).toBeCloseTo(5.9);
  expect(player.get()).toEqual({ button: '3 Hers', voice: 'Hers', isLoading: false, failed: null });
  await pass(0.2);
  expect([sounding(), player.get().button]).toEqual([[], null]);
  player.togglePassages('3 Hers', [hers]);
  await pass(1);
  player.togglePassages('3 Hers', [hers]);
  expect([sounding(), player.get().button, sounds.length]).toEqual([[], null, 1]);
});

test('a press unlocks both audio files, which then play one after the other', async () => {
  const { sounds, player, sounding } = setUp();
  player.togglePassages('3 Both', [hers, mine]);
  expect(sounds.map(({ src, loads }) => [src, loads])).toEqual([
    ['/song', 1],
    [null, 1],
  ]);
  await pass(2.1);
  expect([sounding(), player.get().voice]).toEqual([['/take'], 'Mine']);
  await pass(0.5);
  // Presses another line during playback.
  player.togglePassages('4 Hers', [{ ...hers, start: 6, end: 8 }]);
  expect(sounding()).toEqual(['/song']);
  expect(sounds[0]!.currentTime).toBe(6);
  await pass(20);
  expect([sounding(), player.get().button]).toEqual([[], null]);
});

test('starting other audio stops the line, and starting a line stops other audio', async () => {
  const { playing, player, sounding } = setUp();
  const other = new FakeAudio();
  playing.add(other);
  player.togglePassages('3 Both', [hers, mine]);
  await pass(1);
  await other.play();
  await pass(20);
  expect([sounding(), other.paused, player.get().button]).toEqual([[], false, null]);
  player.togglePassages('3 Both', [hers, mine]);
  expect([sounding(), other.paused]).toEqual([['/song'], true]);
  player.end();
  await pass(20);
  expect(sounding()).toEqual([]);
});

test('reports a playback failure at its button, and the next press refetches the audio', async () => {
  const { sounds, player, sounding } = setUp();
  vi.spyOn(FakeAudioWithSource.prototype, 'play').mockRejectedValueOnce(
    new DOMException('', 'NotSupportedError'),
  );
  player.togglePassages('3 Both', [hers, mine]);
  await pass(0);
  expect(player.get()).toMatchObject({ button: null, failed: '3 Both' });
  expect(sounds[0]!.src).toBeNull();
  player.togglePassages('3 Hers', [hers]);
  await pass(1);
  expect([sounding(), player.get().failed]).toEqual([['/song'], null]);
});
