import { expect, test } from 'vitest';
import { FakeAudio, FakeClock, flushPromises } from './player-fakes.ts';
import type { AudioFileStatus } from './check-audio-file.ts';
import { createResilientAudio } from './resilient-audio.ts';

test('playback begins at the last position sought before the file loads', () => {
  const { audio, element } = audioWithFakes();
  audio.seek(5);
  audio.seek(10);
  expect([audio.position(), element.seeks]).toEqual([10, []]);
  audio.play();
  expect([element.currentTime, element.seeks]).toEqual([10, [10]]);
});

test('retries once after a lost connection, then on request or when back online', async () => {
  const { audio, element, connection, clock, fails } = audioWithFakes();
  audio.play();
  clock.advance(5_000);
  element.isFed = false;
  await fails(2, 'there');
  expect([audio.failure(), element.loads]).toEqual([null, 1]);
  await fails(2, 'there');
  expect([audio.failure(), element.loads]).toEqual(['lost', 1]);
  connection.dispatchEvent(new Event('online'));
  await fails(2, 'unreachable');
  expect([audio.failure(), element.loads]).toEqual(['lost', 2]);
  element.isFed = true;
  audio.retry();
  clock.advance(1_000);
  expect([audio.failure(), audio.position(), audio.isAdvancing()]).toEqual([null, 6, true]);
});

test.each([
  ['a file that is damaged on the server', 2, 'damaged', 'damaged'],
  ['a file that is gone', 2, 'gone', 'unavailable'],
  ['a file that a bug prevents from being checked', 2, 'fault', 'unavailable'],
  ['a file that can’t be decoded', 3, 'there', 'unavailable'],
] as const)('%s is not retried, not even when the device is back online', async (_, code, reach, failure) => {
  const { audio, element, connection, told, fails } = audioWithFakes();
  audio.play();
  await fails(code, reach);
  connection.dispatchEvent(new Event('online'));
  expect([audio.failure(), element.loads, told]).toEqual([failure, 0, ['length-known', 'failing', 'failed']]);
});

test('audio.end() during loading or a failure check removes all listeners and timers', async () => {
  for (const fails of [false, true]) {
    const { audio, element, clock, told } = audioWithFakes();
    element.isFed = false;
    audio.play();
    if (fails) element.fail(2);
    const before = [...told];
    audio.end();
    element.feed();
    await flushPromises();
    clock.advance(20_000);
    expect(told).toEqual(before);
    expect([element.src, element.listeners, clock.pending, audio.failure()]).toEqual([
      '',
      0,
      0,
      fails ? 'checking' : null,
    ]);
  }
});

test('advancing audio counts as playing even if the browser claims to wait for data', () => {
  const { audio, element, clock } = audioWithFakes();
  audio.play();
  clock.advance(1_000);
  expect(audio.isAdvancing()).toBe(true);
  element.simulateFalseWaiting(1);
  expect([audio.isAdvancing(), audio.isWaiting()]).toEqual([true, false]);
  element.claimsToWait = false;
  clock.advance(100);
  element.starve();
  element.dispatch('timeupdate');
  clock.advance(500);
  expect([audio.isAdvancing(), audio.isWaiting()], 'it is waiting again').toEqual([false, true]);
});

test('detects that audio stops after the browser falsely claimed to wait for data', () => {
  const { audio, element, clock } = audioWithFakes();
  audio.play();
  element.simulateFalseWaiting(1);
  element.freeze();
  clock.advance(2_000);
  expect([audio.isAdvancing(), audio.isWaiting()]).toEqual([false, true]);
});

test('reports a pause by the device, but not a requested pause', () => {
  const { audio, element, told } = audioWithFakes();
  audio.play();
  audio.pause();
  expect(told).toEqual(['length-known']);
  audio.play();
  element.pause();
  expect(told).toEqual(['length-known', 'interrupted']);
});

function audioWithFakes() {
  const clock = new FakeClock();
  const element = new FakeAudio(clock, 60, false);
  const connection = new EventTarget();
  const told: string[] = [];
  let reach: AudioFileStatus = 'there';
  const audio = createResilientAudio(element, {
    address: '/api/files/song?type=audio',
    duration: 60,
    rate: 1,
    volume: 0.7,
    environment: { clock, connection, checkFile: () => Promise.resolve(reach) },
    onEvent: (event) => told.push(event),
    onChange: () => {},
    onTime: () => {},
  });
  /** Makes the element fail with a MediaError code. `found` is the result of checking the file. */
  async function fails(code: number, found: AudioFileStatus) {
    reach = found;
    element.fail(code);
    await flushPromises();
  }
  return { audio, element, connection, clock, told, fails };
}
