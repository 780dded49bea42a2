import { expect, test } from 'vitest';
import { CAPTURE_BLOCK_FRAMES } from '#web/audio/recording-format.ts';
import type { NewStoredRecording } from '#web/audio/stored-recording.ts';
import { TEST_TAKE, createMemoryTakeStore } from './takes/take-fakes.ts';
import { createRecordingWriter } from './takes/recording-writer.ts';
import { loadStoredAudio } from './load-stored-audio.ts';

const recorded: NewStoredRecording = { ...TEST_TAKE, origin: 'recorded', name: 'recording.wav' };

const createSamples = (height: number) =>
  Int16Array.from({ length: CAPTURE_BLOCK_FRAMES }, (_, index) =>
    Math.max(-32_768, Math.min(32_767, Math.round(Math.sin(index / 20) * height * 32_768))),
  );

/** Stores about three seconds of a tone with this amplitude on the device. */
async function aKeeper(height: number) {
  const { store, all } = createMemoryTakeStore();
  const keeper = createRecordingWriter(store, recorded, () => undefined);
  for (let index = 0; index < 25; index += 1) keeper.onBlock(createSamples(height), index);
  const found = () => loadStoredAudio(store, all()[0]!);
  return { keeper, found };
}

test.each([
  [0, ['silent']],
  [0.01, ['quiet']],
  [0.5, []],
  [4, ['clipped']],
])('an interrupted take with amplitude %d gets the warnings %j', async (height, notes) => {
  const { keeper, found } = await aKeeper(height);
  await keeper.abandon();
  const audio = await found();
  expect(audio).toMatchObject({ notes, seconds: (25 * CAPTURE_BLOCK_FRAMES) / 32_000 });
  expect(audio?.peaks).toHaveLength(268);
  expect(audio?.kept.notes).toEqual(notes);
});

test('an interrupted take keeps the warnings raised during recording', async () => {
  const { keeper, found } = await aKeeper(0.01);
  keeper.addNote('microphone-lost');
  keeper.addNote('missed-in-background');
  await keeper.abandon();
  expect((await found())?.notes).toEqual(['microphone-lost', 'missed-in-background', 'quiet']);
});

test('returns the stored warnings of a finished take', async () => {
  const { keeper, found } = await aKeeper(0.5);
  await keeper.finish({ seconds: 3, peaks: 'peaks', notes: ['microphone-lost', 'clipped'] });
  expect(await found()).toMatchObject({ seconds: 3, peaks: 'peaks', notes: ['microphone-lost', 'clipped'] });
});

test('adds loudness warnings to a take that an older app version stored without any', async () => {
  const { keeper, found } = await aKeeper(0);
  await keeper.finish({ seconds: 3, peaks: null });
  expect((await found())?.notes).toEqual(['silent']);
});

test('removes a stored recording without audio and returns null', async () => {
  const { store, all } = createMemoryTakeStore();
  await store.begin(recorded, 'empty');
  expect(await loadStoredAudio(store, all()[0]!)).toBeNull();
  expect(all()).toEqual([]);
});
