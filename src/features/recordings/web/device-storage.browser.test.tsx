import { afterEach, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { runWhenNavigationUnblocked } from '#web/navigation/navigation-block.ts';
import { buildStudent, fetchToneFile } from '#testing/browser/community.ts';
import { fakeInspectionProgress } from '#testing/browser/inspection-progress.ts';
import { holdResponses, rejectCalls } from '#testing/browser/fake-api.ts';
import { expectCount, expectText, page } from '#testing/browser/screen.ts';
import {
  chooseAudioFile,
  expectRecordingInProgress,
  expectSubmitted,
  openSubmitPage,
  recordTake,
  recordAgainButton,
  recordOneSecond,
  pressRecord,
  pressStop,
  getSubmittedTitles,
  submitButton,
  listTakes,
  titleField,
} from '#testing/browser/submit-page.ts';
import { mockUploads } from '#testing/browser/uploads.ts';
import { stopSendingTakes } from './take-sending.ts';

const FULL =
  'This device has no space left, so your recording will be lost when you close this page. Please send it first.';

/** Makes storage fail, as in a private window of some browsers. */
const breakStorage = () =>
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
    throw new DOMException('', 'UnknownError');
  });

// Stops sending, as closing the tab does.
afterEach(stopSendingTakes);
afterEach(() => void vi.useRealTimers());

test('without device storage, leaving with an unsent recording must be confirmed', async () => {
  breakStorage();
  mockUploads();
  await openSubmitPage();
  await titleField.fill('In memory only');
  await recordOneSecond();
  await expect.element(page.getByText(/^This browser can’t save recordings/)).toBeVisible();
  const asks = page.getByRole('alertdialog', { name: 'Leave without sending your recording?' });
  const tryToLeave = async () => {
    await page.getByRole('link', { name: 'Past Recordings' }).first().click();
    await expectText(asks, 'can’t be recovered');
    await asks.getByRole('button', { name: 'Stay here' }).click();
  };
  await tryToLeave();
  await expectRecordingInProgress();
  await pressStop();
  await expect.element(recordAgainButton).toBeVisible();
  await tryToLeave();
  await expect.element(page.getByText(/^This browser can’t save recordings/)).toBeVisible();
  await submitButton.click();
  await expectSubmitted();
  expect(getSubmittedTitles()).toEqual(['In memory only']);
});

test('without device storage, a recording is not sent as the user who signs in next', async () => {
  breakStorage();
  mockUploads();
  await openSubmitPage();
  await titleField.fill('In this page only');
  await recordTake();
  rejectCalls(api.uploads.begin, 412, { message: 'Somebody else is signed in', times: 1 });
  await submitButton.click();
  await expect.element(page.getByText(/^Someone else is now signed in/)).toBeVisible();
  rejectCalls(api.uploads.begin, 401, { message: 'Unauthorized', times: 1 });
  await submitButton.click();
  await expect.element(page.getByText(/^You’re signed out/)).toBeVisible();
  // The page stays open, because the only copy is in its memory.
  const lead = vi.fn();
  runWhenNavigationUnblocked(lead);
  expect(lead).not.toHaveBeenCalled();
  expect(getSubmittedTitles()).toEqual([]);
  await submitButton.click();
  await expectSubmitted();
  expect(getSubmittedTitles()).toEqual(['In this page only']);
});

test('submitting waits until a slow device has stored the end of the recording', async () => {
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
  mockUploads();
  await openSubmitPage();
  await titleField.fill('Sent at once');
  await recordOneSecond();
  isSlow = true;
  await pressStop();
  await expect.poll(() => writing.length).toBeGreaterThan(0);
  await submitButton.click();
  await expectCount(page.getByText('Please record or upload an audio file.'), 0);
  isSlow = false;
  for (const end of writing) end();
  await expectSubmitted();
  await expectCount(page.getByText('Please record or upload an audio file.'), 0);
  expect(getSubmittedTitles()).toEqual(['Sent at once']);
});

test('a recording is sent only once if the device fills up during submission', async () => {
  const user = buildStudent();
  mockUploads();
  await openSubmitPage('/submit', user);
  await titleField.fill('No room left');
  await recordTake();
  expect(await listTakes(user)).toMatchObject([{ state: 'recorded' }]);
  const { put } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...given) {
    const request = put.apply(this, given);
    this.transaction.abort();
    return request;
  });
  await submitButton.click();
  await expectSubmitted();
  expect(getSubmittedTitles()).toEqual(['No room left']);
  // The recording is not offered again.
  await expect.poll(() => listTakes(user)).toEqual([]);
});

test('a recording that the browser has deleted from the device is sent from memory', async () => {
  const user = buildStudent();
  mockUploads();
  await openSubmitPage('/submit', user);
  await titleField.fill('Forgotten by the browser');
  await recordTake();
  // Clears the database, like a browser that needs space or a user who deletes site data.
  const opening = indexedDB.open('takes');
  await new Promise((resolve) => (opening.onsuccess = resolve));
  const clearing = opening.result.transaction(['takes', 'pieces'], 'readwrite');
  clearing.objectStore('takes').clear();
  clearing.objectStore('pieces').clear();
  await new Promise((resolve) => (clearing.oncomplete = resolve));
  opening.result.close();
  expect(await listTakes(user)).toEqual([]);
  const release = holdResponses(api.recordings.submit);
  await submitButton.click();
  await expect.poll(getSubmittedTitles).toEqual(['Forgotten by the browser']);
  await expect.element(page.getByRole('button', { name: /^(Sending…|Almost done…)/ })).toBeVisible();
  release();
  await expectSubmitted();
  expect(getSubmittedTitles()).toEqual(['Forgotten by the browser']);
});

test('without device storage, the form shows the progress of the server’s inspection', async () => {
  breakStorage();
  mockUploads();
  await openSubmitPage();
  await titleField.fill('Half an hour');
  await chooseAudioFile(await fetchToneFile('song.wav', 300));
  await expect.element(page.getByText('song.wav', { exact: true })).toBeVisible();
  const release = holdResponses(api.recordings.submit);
  const server = fakeInspectionProgress();
  await submitButton.click();
  await server.becomes({ step: 'running', fraction: 0.4 });
  await expectText(page.getByRole('main'), 'Checking the audio: 40%');
  release();
  await expectSubmitted();
});

test('warns during and after recording that the device has no space left', async () => {
  mockUploads();
  await openSubmitPage();
  await titleField.fill('From memory');
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError');
  });
  await pressRecord();
  await expect.element(page.getByText(FULL)).toBeVisible();
  await pressStop();
  await expect.element(recordAgainButton).toBeVisible();
  await expect.element(page.getByText(FULL)).toBeVisible();
  await submitButton.click();
  await expectSubmitted();
});
