import { expect, onTestFinished } from 'vitest';
import type { Locator } from 'vitest/browser';
import { api } from '#app/api.ts';
import { getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import { type MeFixture, fetchToneFile } from './community.ts';
import { getCalls } from './fake-api.ts';
import { userEvent } from './screen.ts';

// Helpers for the spoken part of a reply or a correction.

/** Chooses an audio file of this many seconds as the spoken part. */
export async function chooseSpokenPart(within: Locator, name: string, seconds: number) {
  const file = await fetchToneFile(name, seconds);
  const input = within.css('input[type=file]');
  if (input.elements().length === 0) await within.getByRole('button', { name: 'Upload' }).click();
  await userEvent.upload(input, file);
  return file;
}

/** Starts a recording, and waits until about a second has been recorded. */
export async function startRecordingSpokenPart(within: Locator) {
  await within.getByRole('button', { name: /^Record audio/ }).click();
  await expect.element(within.getByText(/^Recording · 1:5\d left/)).toBeVisible();
}

/** Returns the names of the takes stored on the device for this user. */
export const listStoredTakeNames = async ({ id }: MeFixture) =>
  (await getTakeStore().listOf(id)).map(({ name }) => name);

/** Returns the content of an upload, from its chunks. A chunk may have been sent more than once. */
export async function readSentBytes(uploadId: string) {
  const chunks = getCalls(api.uploads.append)
    .filter(({ path }) => path.includes(uploadId))
    .map(({ query, body }) => ({ start: Number(query['start']), bytes: body['bytes'] as Blob }));
  const content = new Uint8Array(Math.max(0, ...chunks.map(({ start, bytes }) => start + bytes.size)));
  for (const { start, bytes } of chunks) content.set(new Uint8Array(await bytes.arrayBuffer()), start);
  return content;
}

/** Returns the number of bytes sent so far, including chunks that were sent again. */
export const countBytesSent = () =>
  getCalls(api.uploads.append).reduce((sum, { body }) => sum + (body['bytes'] as Blob).size, 0);

/** Waits until the upload is waiting for a connection, then stops it. */
export async function stopPausedUpload(within: Locator) {
  await expect.element(within.getByText('Waiting for internet.')).toBeVisible();
  await within.getByRole('button', { name: 'Stop sending' }).click();
  await expect.element(within.getByText(/^Sending was stopped/)).toBeVisible();
}

/** Delays IndexedDB's `complete` events until the returned function is called. */
export function delayDeviceStorage(): () => void {
  const { prototype } = IDBTransaction;
  const real = Object.getOwnPropertyDescriptor(prototype, 'oncomplete')!;
  const held: (() => void)[] = [];
  let isHeld = true;
  Object.defineProperty(prototype, 'oncomplete', {
    configurable: true,
    set(this: IDBTransaction, then: () => void) {
      this.addEventListener('complete', () => (isHeld ? void held.push(then) : then()));
    },
  });
  const release = () => {
    isHeld = false;
    Object.defineProperty(prototype, 'oncomplete', real);
    for (const then of held.splice(0)) then();
  };
  onTestFinished(release);
  return release;
}
