import { afterEach, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { takeStore } from '#features/recordings/web/takes/use-takes.ts';
import { aStudent, soundFile, type Me } from '#testing/browser/community.ts';
import { breakConnection } from '#testing/browser/fake-api.ts';
import { expectFineEverywhere } from '#testing/browser/look.ts';
import { expectCount, expectText, page } from '#testing/browser/screen.ts';
import { comeOnline, found, onItsWay, open, sent } from '#testing/browser/submit-page.ts';
import { takeUploads } from '#testing/browser/uploads.ts';
import { stopSending } from '#features/recordings/web/sending.ts';

const left = page.getByRole('status', { name: 'Recording on this device' });

const DAY_MS = 86_400_000;

// As closing the tab does.
afterEach(stopSending);

/** A recording on this device from some days ago. */
async function keep({ id: userId }: Me, title: string, daysAgo: number, more: Partial<StoredRecording>) {
  const file = await soundFile('song.wav', 1);
  const take = {
    userId,
    purpose: 'recording',
    origin: 'uploaded',
    name: 'song.wav',
    type: 'audio/wav',
  } as const;
  const { id } = await takeStore().keepFile(take, file, { seconds: 1, peaks: null });
  await takeStore().change(id, {
    createdAt: Date.now() - daysAgo * DAY_MS,
    sending: { title, message: '', melodyId: null },
    ...more,
  });
}

test('who comes back is reminded on any page of what has not reached the teacher, how old it is, and led to it', async () => {
  const user = aStudent();
  await keep(user, 'From the retreat', 3, { state: 'queued' });
  takeUploads();
  breakConnection(api.uploads.begin);
  await open('/change-password', user);
  await expectText(left, 'A recording made 3 days ago');
  await expectText(left, 'is still on this device. It has not reached the teacher.');
  await expectFineEverywhere('left on the device');
  await left.getByRole('link', { name: 'Show it' }).click();
  await expectText(onItsWay, 'From the retreat');
  await expectCount(left, 0);
});

test('of what was never submitted it is seen that there is sound, and no sound is read', async () => {
  const user = aStudent();
  const all = vi.spyOn(IDBObjectStore.prototype, 'getAll');
  await keep(user, 'Sung and left', 3, {});
  const { id, ...begun } = (await takeStore().listOf(user.id))[0]!;
  const silent = await takeStore().begin({ ...begun, sending: null }, `${id}-without-sound`);
  await takeStore().change(silent.id, { createdAt: Date.now() - 9 * DAY_MS });
  await open('/change-password', user);
  await expectText(left, 'A recording made 3 days ago');
  await expect.element(left.getByRole('link', { name: 'Listen to it' })).toBeVisible();
  expect(all.mock.contexts.map((store) => (store as IDBObjectStore).name)).not.toContain('pieces');
});

test('nobody else at the device is told of it, and it goes away when it has arrived', async () => {
  const user = aStudent();
  await keep(user, 'Mine alone', 3, { state: 'queued' });
  takeUploads();
  breakConnection(api.uploads.begin);
  const other = aStudent();
  await keep(other, 'Of the other', 1, { state: 'refused', refusal: 'This is not audio.' });
  await open('/change-password', other);
  await expectText(left, 'A recording made yesterday');
  await expectText(left, 'is still on this device. The server did not take it.');
  await left.getByRole('button', { name: 'Not now' }).click();
  await expectCount(left, 0);
  await open('/change-password', user);
  await expectText(left, 'A recording made 3 days ago');
  takeUploads();
  comeOnline();
  await expect.poll(sent).toEqual(['Mine alone']);
  await expectCount(left, 0);
});

test('one reminder is for all of them, also for what was never submitted', async () => {
  const user = aStudent();
  await keep(user, 'Stuck', 2, { state: 'queued' });
  await keep(user, 'Never submitted', 9, { state: 'recorded' });
  takeUploads();
  breakConnection(api.uploads.begin);
  await open('/change-password', user);
  await expectText(left, 'Recordings are still on this device, the oldest made last week');
  await left.getByRole('link', { name: 'Show them' }).click();
  await expect.element(found).toBeVisible();
  await expectText(onItsWay, 'Stuck');
});
