import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TEST_TAKE, createMemoryTakeStore } from './take-fakes.ts';
import { createRecordingWriter } from './recording-writer.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const block = (value: number) => new Int16Array(4).fill(value);
const facts = { seconds: 1, peaks: null };

test('writes audio to the device within a second, while the recording continues', async () => {
  const { store, all, soundOf } = createMemoryTakeStore();
  const keeper = createRecordingWriter(store, TEST_TAKE, () => undefined);
  keeper.onBlock(block(1), 0);
  keeper.onBlock(block(2), 1);
  await vi.advanceTimersByTimeAsync(1_000);
  const [take] = all();
  expect(take?.state).toBe('recording');
  expect(soundOf(take!.id).map(([index]) => index)).toEqual([0, 1]);
});

test('a finished recording has all of its blocks on the device', async () => {
  const { store, all, soundOf } = createMemoryTakeStore();
  const keeper = createRecordingWriter(store, TEST_TAKE, () => undefined);
  for (let index = 0; index < 5; index += 1) keeper.onBlock(block(index), index);
  const kept = await keeper.finish(facts);
  expect(kept).toEqual(all()[0]);
  expect(kept).toMatchObject({ state: 'recorded', seconds: 1 });
  expect(soundOf(kept!.id)).toHaveLength(5);
});

test('copies each block, because the recorder reuses its buffer', async () => {
  const { store, all, soundOf } = createMemoryTakeStore();
  const keeper = createRecordingWriter(store, TEST_TAKE, () => undefined);
  const samples = block(7);
  keeper.onBlock(samples, 0);
  samples.fill(0);
  await keeper.finish(facts);
  expect([...new Int16Array(soundOf(all()[0]!.id)[0]![1])]).toEqual([7, 7, 7, 7]);
});

test('reports a full device once and removes the partial recording', async () => {
  const { store, all, fill } = createMemoryTakeStore();
  const problems: string[] = [];
  const keeper = createRecordingWriter(store, TEST_TAKE, (problem) => problems.push(problem));
  keeper.onBlock(block(1), 0);
  await vi.advanceTimersByTimeAsync(1_000);
  fill();
  keeper.onBlock(block(2), 1);
  await vi.advanceTimersByTimeAsync(1_000);
  keeper.onBlock(block(3), 2);
  expect(await keeper.finish(facts)).toBeNull();
  expect([problems, all()]).toEqual([['full'], []]);
});

test('abandon() returns false if the device is too full to store all audio', async () => {
  const { store, fill } = createMemoryTakeStore();
  const keeper = createRecordingWriter(store, TEST_TAKE, () => undefined);
  keeper.onBlock(block(1), 0);
  await vi.advanceTimersByTimeAsync(1_000);
  fill();
  keeper.onBlock(block(2), 1);
  expect(await keeper.abandon()).toBe(false);
});

test('discarding a recording deletes all of its audio from the device', async () => {
  const { store, all } = createMemoryTakeStore();
  const keeper = createRecordingWriter(store, TEST_TAKE, () => undefined);
  keeper.onBlock(block(1), 0);
  await vi.advanceTimersByTimeAsync(1_000);
  keeper.onBlock(block(2), 1);
  await keeper.discard();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(all()).toEqual([]);
});

test('locks a take before other tabs are notified of the take', async () => {
  const request = vi.fn((id: string) => new Promise(() => id));
  vi.stubGlobal('navigator', { locks: { request } });
  const device = createMemoryTakeStore();
  const begin = vi.spyOn(device.store, 'begin');
  const keeper = createRecordingWriter(device.store, TEST_TAKE, () => undefined);
  keeper.onBlock(new Int16Array([1]), 0);
  await keeper.finish({ seconds: 1, peaks: null });
  vi.unstubAllGlobals();
  expect(request.mock.calls.map(([name]) => String(name))).toEqual([`take ${device.all()[0]!.id}`]);
  expect(request.mock.invocationCallOrder[0]).toBeLessThan(begin.mock.invocationCallOrder[0]!);
});

test('finish() returns null if the device has lost the take', async () => {
  const device = createMemoryTakeStore();
  const keeper = createRecordingWriter(device.store, TEST_TAKE, () => undefined);
  keeper.onBlock(new Int16Array([1]), 0);
  await vi.advanceTimersByTimeAsync(1_000);
  await device.store.remove(device.all()[0]!.id);
  expect(await keeper.finish({ seconds: 1, peaks: null })).toBeNull();
});

test('notifies other tabs after the lock on the take has been released', async () => {
  let isHeld = false;
  const request = async (_: string, hold: () => Promise<void>) => {
    isHeld = true;
    await hold();
    isHeld = false;
  };
  vi.stubGlobal('navigator', { locks: { request } });
  const { store } = createMemoryTakeStore();
  const writer = createRecordingWriter(store, TEST_TAKE, () => undefined);
  writer.onBlock(block(1), 0);
  await vi.advanceTimersByTimeAsync(1_000);
  const heldWhenTold: boolean[] = [];
  store.subscribe(() => heldWhenTold.push(isHeld));
  expect(await writer.abandon()).toBe(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(heldWhenTold.at(-1)).toBe(false);
});
