import { afterEach, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import { buildStudent, fetchToneFile, type MeFixture } from '#testing/browser/community.ts';
import { breakConnection } from '#testing/browser/fake-api.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { expectCount, expectText, page } from '#testing/browser/screen.ts';
import {
  dispatchOnlineEvent,
  abandonedTakeOffer,
  queuedRecordings,
  openSubmitPage,
  getSubmittedTitles,
} from '#testing/browser/submit-page.ts';
import { mockUploads } from '#testing/browser/uploads.ts';
import { stopSendingTakes } from '#features/recordings/web/take-sending.ts';

const left = page.getByRole('status', { name: 'Unsent recording' });

const DAY_MS = 86_400_000;

// Stops sending, as closing the tab does.
afterEach(stopSendingTakes);

/** Stores a recording on this device, as if it had been made some days ago. */
async function storeTake(
  { id: userId }: MeFixture,
  title: string,
  daysAgo: number,
  more: Partial<StoredRecording>,
) {
  const file = await fetchToneFile('song.wav', 1);
  const take = {
    userId,
    purpose: 'recording',
    origin: 'uploaded',
    name: 'song.wav',
    type: 'audio/wav',
  } as const;
  const { id } = await getTakeStore().keepFile(take, file, { seconds: 1, peaks: null });
  await getTakeStore().change(id, {
    createdAt: Date.now() - daysAgo * DAY_MS,
    sending: { title, message: '', melodyId: null },
    ...more,
  });
}

test('any page shows a reminder of an unsent recording, with its age and a link', async () => {
  const user = buildStudent();
  await storeTake(user, 'From the retreat', 3, { state: 'queued' });
  mockUploads();
  breakConnection(api.uploads.begin);
  await openSubmitPage('/change-password', user);
  await expectText(left, 'an unsent recording, made 3 days ago');
  await expectText(left, 'It hasn’t reached your teacher yet.');
  await expectAccessibleWithoutOverflow('left on the device');
  await left.getByRole('link', { name: 'Show it' }).click();
  await expectText(queuedRecordings, 'From the retreat');
  await expectCount(left, 0);
});

test('reminds only of recordings that contain audio, without reading the audio', async () => {
  const user = buildStudent();
  const all = vi.spyOn(IDBObjectStore.prototype, 'getAll');
  await storeTake(user, 'Sung and left', 3, {});
  const { id, ...begun } = (await getTakeStore().listOf(user.id))[0]!;
  const silent = await getTakeStore().begin({ ...begun, sending: null }, `${id}-without-sound`);
  await getTakeStore().change(silent.id, { createdAt: Date.now() - 9 * DAY_MS });
  await openSubmitPage('/change-password', user);
  await expectText(left, 'an unsent recording, made 3 days ago');
  await expect.element(left.getByRole('link', { name: 'Listen to it' })).toBeVisible();
  expect(all.mock.contexts.map((store) => (store as IDBObjectStore).name)).not.toContain('pieces');
});

test('reminds only the owner of an unsent recording, until the recording has arrived', async () => {
  const user = buildStudent();
  await storeTake(user, 'Mine alone', 3, { state: 'queued' });
  mockUploads();
  breakConnection(api.uploads.begin);
  const other = buildStudent();
  await storeTake(other, 'Of the other', 2, { state: 'refused', refusal: 'This is not audio.' });
  await openSubmitPage('/change-password', other);
  await expectText(left, 'an unsent recording, made 2 days ago');
  await expectText(left, 'The server didn’t accept it.');
  await left.getByRole('button', { name: 'Not now' }).click();
  await expectCount(left, 0);
  await openSubmitPage('/change-password', user);
  await expectText(left, 'an unsent recording, made 3 days ago');
  mockUploads();
  dispatchOnlineEvent();
  await expect.poll(getSubmittedTitles).toEqual(['Mine alone']);
  await expectCount(left, 0);
});

test('shows one reminder for all unsent recordings, queued or not', async () => {
  const user = buildStudent();
  await storeTake(user, 'Stuck', 2, { state: 'queued' });
  await storeTake(user, 'Never submitted', 9, { state: 'recorded' });
  mockUploads();
  breakConnection(api.uploads.begin);
  await openSubmitPage('/change-password', user);
  await expectText(left, 'You have unsent recordings on this device. The oldest was made last week');
  await left.getByRole('link', { name: 'Show them' }).click();
  await expect.element(abandonedTakeOffer).toBeVisible();
  await expectText(queuedRecordings, 'Stuck');
});
