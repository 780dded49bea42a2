import { expect, test } from 'vitest';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { TEST_TAKE, createMemoryTakeStore } from './takes/take-fakes.ts';
import { getUploadId } from '#web/uploads/upload-id.ts';
import { queueRecording } from './queue-recording.ts';

const fields = { title: 'Refuge', message: '', melodyId: null };

async function storeAudio(device: ReturnType<typeof createMemoryTakeStore>): Promise<ChosenAudio> {
  const blob = new Blob(['sound']);
  const kept = await device.store.keepFile(TEST_TAKE, blob, { seconds: 2, peaks: null });
  return { blob, name: 'song.wav', seconds: 2, origin: 'recorded', peaks: null, kept };
}

test('a recording that another tab has discarded is queued again with its old id', async () => {
  const device = createMemoryTakeStore();
  const audio = await storeAudio(device);
  const id = await queueRecording(device.store, audio, fields, 'tashi');
  await device.store.remove(id);
  expect(await queueRecording(device.store, { ...audio, kept: null }, fields, 'tashi')).toBe(id);
  expect(device.all()).toMatchObject([{ id, state: 'queued', mayHaveArrived: true, sending: fields }]);
  expect(getUploadId(audio.blob)).toBe(id);
});

test('a recording that the device has lost keeps its id and counts as not arrived', async () => {
  const device = createMemoryTakeStore();
  const audio = await storeAudio(device);
  await device.store.remove(audio.kept!.id);
  expect(await queueRecording(device.store, audio, fields, 'tashi')).toBe(audio.kept!.id);
  expect(device.all()).toMatchObject([{ state: 'queued', mayHaveArrived: false }]);
});

test('does not queue a recording again if the server has already received it', async () => {
  const device = createMemoryTakeStore();
  const audio = await storeAudio(device);
  const id = await queueRecording(device.store, audio, fields, 'tashi');
  await device.store.remove(id, 'sent');
  expect(await queueRecording(device.store, { ...audio, kept: null }, fields, 'tashi')).toBe(id);
  expect(device.all()).toEqual([]);
});
