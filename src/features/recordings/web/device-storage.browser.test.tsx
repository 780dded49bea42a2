import { afterEach, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { whenNavigationIsFree } from '#web/navigation/navigation-block.ts';
import { aStudent, soundFile } from '#testing/browser/community.ts';
import { examineAsTold } from '#testing/browser/examination.ts';
import { hold, refuse } from '#testing/browser/fake-api.ts';
import { expectCount, expectText, page } from '#testing/browser/screen.ts';
import {
  choose,
  isRecording,
  isSubmitted,
  open,
  record,
  recordAgain,
  sing,
  start,
  stop,
  sent,
  submit,
  takesOf,
  title,
} from '#testing/browser/submit-page.ts';
import { takeUploads } from '#testing/browser/uploads.ts';
import { stopSending } from './sending.ts';

const FULL =
  'This device has no space left, so your recording will be lost when you close this page. Please send it first.';

/** Simulates a private window in some browsers. */
const keepNothing = () =>
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
    throw new DOMException('', 'UnknownError');
  });

// Stops sending, as closing the tab does.
afterEach(stopSending);
afterEach(() => void vi.useRealTimers());

test('without device storage, recording and sending work and leaving warns of the loss', async () => {
  keepNothing();
  takeUploads();
  await open();
  await title.fill('In memory only');
  await sing();
  await expect.element(page.getByText(/^This browser can’t save recordings/)).toBeVisible();
  const asks = page.getByRole('alertdialog', { name: 'Leave without sending your recording?' });
  const tryToLeave = async () => {
    await page.getByRole('link', { name: 'Past Recordings' }).first().click();
    await expectText(asks, 'can’t be recovered');
    await asks.getByRole('button', { name: 'Stay here' }).click();
  };
  await tryToLeave();
  await isRecording();
  await stop();
  await expect.element(recordAgain).toBeVisible();
  await tryToLeave();
  await expect.element(page.getByText(/^This browser can’t save recordings/)).toBeVisible();
  await submit.click();
  await isSubmitted();
  expect(sent()).toEqual(['In memory only']);
});

test('without device storage, a recording is not sent as the next user', async () => {
  keepNothing();
  takeUploads();
  await open();
  await title.fill('In this page only');
  await record();
  refuse(api.uploads.begin, 412, { message: 'Somebody else is signed in', times: 1 });
  await submit.click();
  await expect.element(page.getByText(/^Someone else is now signed in/)).toBeVisible();
  refuse(api.uploads.begin, 401, { message: 'Unauthorized', times: 1 });
  await submit.click();
  await expect.element(page.getByText(/^You’re signed out/)).toBeVisible();
  // The page stays open, because it holds the only copy.
  const lead = vi.fn();
  whenNavigationIsFree(lead);
  expect(lead).not.toHaveBeenCalled();
  expect(sent()).toEqual([]);
  await submit.click();
  await isSubmitted();
  expect(sent()).toEqual(['In this page only']);
});

test('submitting while a slow device still writes the end waits for the recording', async () => {
  const writing: (() => void)[] = [];
  let isSlow = false;
  vi.spyOn(IDBTransaction.prototype, 'oncomplete', 'set').mockImplementation(function (
    this: IDBTransaction,
    then,
  ) {
    this.addEventListener('complete', (event) => {
      const end = () => then?.call(this, event);
      if (isSlow) writing.push(end);
      else end();
    });
  });
  takeUploads();
  await open();
  await title.fill('Sent at once');
  await sing();
  isSlow = true;
  await stop();
  await expect.poll(() => writing.length).toBeGreaterThan(0);
  await submit.click();
  await expectCount(page.getByText('Please record or upload an audio file.'), 0);
  isSlow = false;
  for (const end of writing) end();
  await isSubmitted();
  await expectCount(page.getByText('Please record or upload an audio file.'), 0);
  expect(sent()).toEqual(['Sent at once']);
});

test('a recording is sent once when the device fills up during submission', async () => {
  const user = aStudent();
  takeUploads();
  await open('/submit', user);
  await title.fill('No room left');
  await record();
  expect(await takesOf(user)).toMatchObject([{ state: 'recorded' }]);
  const { put } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...given) {
    const request = put.apply(this, given);
    this.transaction.abort();
    return request;
  });
  await submit.click();
  await isSubmitted();
  expect(sent()).toEqual(['No room left']);
  // It is not offered again.
  await expect.poll(() => takesOf(user)).toEqual([]);
});

test('a recording the browser has deleted from the device is sent from memory', async () => {
  const user = aStudent();
  takeUploads();
  await open('/submit', user);
  await title.fill('Forgotten by the browser');
  await record();
  // Clear the database, as a browser does that needs space, or a user who deletes site data.
  const opening = indexedDB.open('takes');
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const clearing = opening.result.transaction(['takes', 'pieces'], 'readwrite');
  clearing.objectStore('takes').clear();
  clearing.objectStore('pieces').clear();
  await new Promise((resolve) => (clearing.oncomplete = resolve));
  opening.result.close();
  expect(await takesOf(user)).toEqual([]);
  const letGo = hold(api.recordings.submit);
  await submit.click();
  await expect.poll(sent).toEqual(['Forgotten by the browser']);
  await expect.element(page.getByRole('button', { name: /^(Sending…|Almost done…)/ })).toBeVisible();
  letGo();
  await isSubmitted();
  expect(sent()).toEqual(['Forgotten by the browser']);
});

test('shows the progress of the check for a recording that is only in the page', async () => {
  keepNothing();
  takeUploads();
  await open();
  await title.fill('Half an hour');
  await choose(await soundFile('song.wav', 300));
  await expect.element(page.getByText('song.wav', { exact: true })).toBeVisible();
  const letGo = hold(api.recordings.submit);
  const server = examineAsTold();
  await submit.click();
  await server.becomes({ step: 'running', fraction: 0.4 });
  await expectText(page.getByRole('main'), 'Checking the audio: 40%');
  letGo();
  await isSubmitted();
});

test('warns that the device has no room while recording and afterwards', async () => {
  takeUploads();
  await open();
  await title.fill('From memory');
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  await start();
  await expect.element(page.getByText(FULL)).toBeVisible();
  await stop();
  await expect.element(recordAgain).toBeVisible();
  await expect.element(page.getByText(FULL)).toBeVisible();
  await submit.click();
  await isSubmitted();
});
