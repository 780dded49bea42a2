import { expect, test } from 'vitest';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { aTake, memoryStore } from './takes/take-fakes.ts';
import { uploadIdOf } from '#web/uploads/upload-id.ts';
import { queue } from './queue.ts';

const fields = { title: 'Refuge', message: '', melodyId: null };

async function sung(device: ReturnType<typeof memoryStore>): Promise<ChosenAudio> {
  const blob = new Blob(['sound']);
  const kept = await device.store.keepFile(aTake, blob, { seconds: 2, peaks: null });
  return { blob, name: 'song.wav', seconds: 2, origin: 'recorded', peaks: null, kept };
}

test('what was discarded elsewhere and is submitted after all has the name it had', async () => {
  const device = memoryStore();
  const audio = await sung(device);
  const id = await queue(device.store, audio, fields, 'tashi');
  await device.store.remove(id);
  expect(await queue(device.store, { ...audio, kept: null }, fields, 'tashi')).toBe(id);
  expect(device.all()).toMatchObject([{ id, state: 'queued', mayHaveArrived: true, sending: fields }]);
  expect(uploadIdOf(audio.blob)).toBe(id);
});

test('so has what the device has forgotten; it has surely not arrived', async () => {
  const device = memoryStore();
  const audio = await sung(device);
  await device.store.remove(audio.kept!.id);
  expect(await queue(device.store, audio, fields, 'tashi')).toBe(audio.kept!.id);
  expect(device.all()).toMatchObject([{ state: 'queued', mayHaveArrived: false }]);
});

test('what arrived meanwhile is not kept once more', async () => {
  const device = memoryStore();
  const audio = await sung(device);
  const id = await queue(device.store, audio, fields, 'tashi');
  await device.store.remove(id, 'sent');
  expect(await queue(device.store, { ...audio, kept: null }, fields, 'tashi')).toBe(id);
  expect(device.all()).toEqual([]);
});
