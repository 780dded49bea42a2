import { beforeEach, expect, test, vi } from 'vitest';
import { toReceivedUser, buildStudent, fetchToneFile } from '#testing/browser/community.ts';
import { expectText, page } from '#testing/browser/screen.ts';
import { openSubmitPage } from '#testing/browser/submit-page.ts';
import { storeLastUser } from '#web/offline/last-user.ts';
import { clearDeviceData } from '#web/offline/clear-device-data.ts';
import { recordingAudioSlot } from '#features/recordings/limits.ts';
import {
  deleteExpiredSharedSound,
  deleteSharedSoundUnlessOwnedBy,
  receiveSharedSound,
  readSharedSound,
} from './shared-sound.ts';

const [tashi, pema] = [buildStudent(), buildStudent()];
const QUARTER_HOUR_MS = 15 * 60 * 1_000;

/**
 * Simulates another app sharing audio with the service worker.
 * @returns the URL that the service worker opens
 */
async function share(sound?: File) {
  const body = new FormData();
  body.append('sound', sound ?? (await fetchToneFile('voice.wav', 1)));
  const { headers } = await receiveSharedSound(new Request('/submit', { method: 'POST', body }));
  const { pathname, search } = new URL(headers.get('location')!, location.href);
  return pathname + search;
}

const isStored = () => caches.has('shared sound');

beforeEach(async () => {
  await clearDeviceData();
  await storeLastUser(toReceivedUser(tashi));
});

test('keeps shared audio for the user who was last signed in', async () => {
  expect(await share()).toBe('/submit?shared=kept');
  // The session has expired, and the same user signs in again.
  await deleteSharedSoundUnlessOwnedBy(tashi.id);
  expect((await readSharedSound(tashi.id))?.name).toBe('voice.wav');
});

test('deletes shared audio when another user signs in', async () => {
  await share();
  await deleteSharedSoundUnlessOwnedBy(pema.id);
  expect(await isStored()).toBe(false);
});

test('deletes shared audio instead of returning it to another user', async () => {
  await share();
  expect(await readSharedSound(pema.id)).toBeNull();
  expect(await isStored()).toBe(false);
});

test('deletes shared audio at sign-out', async () => {
  await share();
  await clearDeviceData();
  expect(await isStored()).toBe(false);
});

test.each([QUARTER_HOUR_MS, -1])(
  'deletes shared audio after 15 minutes, or if the clock was set back (%i ms)',
  async (ms) => {
    await share();
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + QUARTER_HOUR_MS - 60_000);
    await deleteExpiredSharedSound();
    expect(await isStored()).toBe(true);
    vi.spyOn(Date, 'now').mockReturnValue(now + ms + Math.sign(ms) * 60_000);
    await deleteExpiredSharedSound();
    expect(await isStored()).toBe(false);
  },
);

test('does not store audio that is shared while nobody is signed in', async () => {
  await storeLastUser(null);
  expect(await share()).toBe('/submit?shared=signed-out');
  expect(await isStored()).toBe(false);
});

test('does not store shared audio that is too large, and deletes earlier shared audio', async () => {
  await share();
  const tooLarge = new File([new Uint8Array(recordingAudioSlot.tooLargeFrom)], 'retreat.wav');
  expect(await share(tooLarge)).toBe('/submit?shared=too-large');
  expect(await isStored()).toBe(false);
});

async function openShared(outcome: string) {
  await share();
  await openSubmitPage(`/submit?shared=${outcome}`, tashi);
}

test('the submit page warns if shared audio came from another website', async () => {
  await openShared('outside');
  await expect.element(page.getByText('This audio came from another website')).toBeVisible();
  await expect.element(page.getByText('voice.wav').first()).toBeVisible();
});

test('accepts audio from the device’s share sheet without a notice', async () => {
  await openShared('kept');
  await expect.element(page.getByText('voice.wav').first()).toBeVisible();
  expect(page.getByText('another website').query()).toBeNull();
});

test.each([
  ['too-large', 'Please select a file smaller than 10MB.'],
  ['signed-out', 'Please share the audio again now.'],
])('the submit page explains why shared audio was rejected: %s', async (outcome, sentence) => {
  await openShared(outcome);
  await expectText(page.getByRole('main'), new RegExp(sentence));
});
