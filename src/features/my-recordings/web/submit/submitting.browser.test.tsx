import { afterEach, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { openTakeStore } from '#features/recordings/web/takes/take-store.ts';
import { buildRecording, buildStudent, fetchToneFile } from '#testing/browser/community.ts';
import { fakeInspectionProgress } from '#testing/browser/inspection-progress.ts';
import {
  mockEndpoint,
  breakConnection,
  getCalls,
  holdResponses,
  rejectCalls,
} from '#testing/browser/fake-api.ts';
import { expectAccessible, expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { reloadPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, toastItem } from '#testing/browser/screen.ts';
import {
  chooseAudioFile,
  dispatchOnlineEvent,
  expectSafeOnDevice,
  expectSubmitted,
  queuedRecordings,
  openSubmitPage,
  getSubmittedTitles,
  submitButton,
  titleField,
} from '#testing/browser/submit-page.ts';
import { mockUploads } from '#testing/browser/uploads.ts';
import { stopSendingTakes } from '#features/recordings/web/take-sending.ts';

const FAULT =
  'Something went wrong in Yangchen on this device. Your recording is safe here. Please reload the page. If this keeps happening, tell your teacher.';

/** Opens the form and fills in a title and an audio file. The server accepts uploads. */
async function fillForm(name: string, user = buildStudent(), seconds = 1) {
  mockUploads();
  await openSubmitPage('/submit', user);
  await titleField.fill(name);
  await chooseAudioFile(await fetchToneFile('song.wav', seconds));
  await expect.element(page.getByText('song.wav', { exact: true })).toBeVisible();
}

// Stops sending, as closing the tab does.
afterEach(stopSendingTakes);
afterEach(() => void vi.useRealTimers());

test('a recording waits for a connection and is sent when the browser is online', async () => {
  await fillForm('Far from any network');
  breakConnection(api.uploads.begin);
  await submitButton.click();
  await expectSafeOnDevice();
  // The list of unsent recordings leaves out the recording that was submitted from this form.
  expect(queuedRecordings.elements()).toEqual([]);
  await page.getByRole('button', { name: 'Record another' }).click();
  await expectText(queuedRecordings, 'Waiting for internet.');
  await expectAccessibleWithoutOverflow('on its way');
  mockUploads();
  dispatchOnlineEvent();
  await expectCount(queuedRecordings, 0);
  expect(getSubmittedTitles()).toEqual(['Far from any network']);
});

test('after a 500, the recording stays on the device and is sent on the next attempt', async () => {
  await fillForm('Refused with 500');
  rejectCalls(api.recordings.submit, 500, { message: 'Something went wrong on our side.', retryAfter: 3600 });
  await submitButton.click();
  await expectText(toastItem, 'Failed to submit recording. Please try again.');
  await expectSafeOnDevice();
  mockUploads();
  dispatchOnlineEvent();
  await expectSubmitted();
});

test('after a 415, returns the recording to the form with the reason', async () => {
  await fillForm('Refused with 415');
  rejectCalls(api.recordings.submit, 415, { message: 'This is not audio that browsers play.', times: 1 });
  await submitButton.click();
  await expectText(toastItem, 'Failed to submit recording. Please try again.');
  const failure = page.getByRole('alert').filter({ hasText: 'This is not audio that browsers play.' });
  await expectText(failure, 'Your recording and what you wrote are still here.');
  await expect.element(titleField).toHaveValue('Refused with 415');
  await submitButton.click();
  await expectSubmitted();
});

test('a recording that was rejected in the background is listed and can be resent', async () => {
  await fillForm('Refused behind the back');
  breakConnection(api.uploads.begin);
  await submitButton.click();
  await expectSafeOnDevice();
  await page.getByRole('link', { name: 'Past Recordings' }).last().click();
  await expect.element(page.getByRole('heading', { name: 'Past Recordings', level: 1 })).toBeVisible();
  mockUploads();
  rejectCalls(api.recordings.submit, 415, { message: 'This is not audio that browsers play.' });
  dispatchOnlineEvent();
  await expectText(queuedRecordings, 'The server didn’t accept it. This is not audio that browsers play.');
  // A rejected recording is not retried automatically.
  dispatchEvent(new Event('focus'));
  await expect.element(queuedRecordings.getByRole('button', { name: 'Try now' })).toBeVisible();
  mockEndpoint(api.recordings.submit, () => {
    const recording = buildRecording('Refused behind the back');
    mockEndpoint(api.recordings.mine, [recording]);
    return recording;
  });
  await queuedRecordings.getByRole('button', { name: 'Try now' }).click();
  await expectCount(queuedRecordings, 0);
  await expect.element(page.getByRole('heading', { name: 'Refused behind the back' })).toBeVisible();
  expect(getSubmittedTitles()).toHaveLength(2);
});

test('an unexpected error is not shown as a lost connection, and the recording is kept', async () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await fillForm('Kept');
  const broken = vi.spyOn(XMLHttpRequest.prototype, 'send').mockImplementation(() => {
    throw new TypeError('undefined is not a function');
  });
  await submitButton.click();
  await expectSafeOnDevice();
  await expectText(page.getByRole('main'), FAULT);
  await expectCount(page.getByText(/no connection/i), 0);
  await page.getByRole('button', { name: 'Record another' }).click();
  await expectText(queuedRecordings, FAULT);
  const before = broken.mock.calls.length;
  await queuedRecordings.getByRole('button', { name: 'Try now' }).click();
  await expect.poll(() => broken.mock.calls.length).toBeGreaterThan(before);
  await expectText(queuedRecordings, FAULT);
  expect(told.mock.calls.map((words) => words.join(' '))).toEqual([
    expect.stringContaining('A recording could not be sent:'),
  ]);

  broken.mockRestore();
  stopSendingTakes();
  await reloadPage();
  await expect.poll(getSubmittedTitles).toEqual(['Kept']);
  await expectCount(queuedRecordings, 0);
});

test('cancelling puts the recording back into the form, and it can be submitted again', async () => {
  await fillForm('On second thoughts');
  const message = page.getByLabelText('Message');
  await message.fill('A first word');
  const release = holdResponses(api.uploads.append);
  await submitButton.click();
  await page.getByRole('button', { name: 'Cancel sending' }).click();
  await expect.element(submitButton).toBeVisible();
  await expect.element(page.getByText('song.wav', { exact: true })).toBeVisible();
  await expect.element(titleField).toHaveValue('On second thoughts');
  await expect.element(message).toHaveValue('A first word');
  release();
  await titleField.fill('Better so');
  await submitButton.click();
  await expectSubmitted();
  expect(getSubmittedTitles()).toEqual(['Better so']);
});

test('the form shows the progress of the server’s inspection of a long recording', async () => {
  await fillForm('Half an hour', buildStudent(), 300);
  const release = holdResponses(api.recordings.submit);
  const server = fakeInspectionProgress();
  await submitButton.click();
  await expect.element(page.getByRole('button', { name: 'Almost done…' })).toBeVisible();
  const main = page.getByRole('main');
  await server.becomes({ step: 'waiting', fraction: 0 });
  await expectText(main, 'The audio will be checked after an earlier file');
  await server.becomes({ step: 'running', fraction: 0.4 });
  await expectText(main, 'Checking the audio: 40%');
  await expect.element(page.getByRole('button', { name: 'Checking…' })).toBeVisible();
  const bar = page.getByRole('progressbar', { name: 'Checking the audio' });
  await expect.element(bar).toHaveAttribute('value', '40');
  await expectAccessible('a long recording is examined');
  release();
  await expectSubmitted();
});

test('the list of unsent recordings shows the progress of the server’s inspection', async () => {
  await fillForm('Half an hour', buildStudent(), 300);
  const release = holdResponses(api.recordings.submit);
  breakConnection(api.uploads.begin, { times: 1 });
  await submitButton.click();
  await page.getByRole('button', { name: 'Record another' }).click();
  const server = fakeInspectionProgress();
  dispatchOnlineEvent();
  await server.becomes({ step: 'running', fraction: 0.4 });
  await expectText(queuedRecordings, 'Checking the audio: 40%.');
  release();
  await expectCount(queuedRecordings, 0);
});

test('double-clicking Submit sends the recording only once', async () => {
  await fillForm('Twice pressed');
  await submitButton.dblClick();
  await expectSubmitted();
  expect(getSubmittedTitles()).toEqual(['Twice pressed']);
});

test('deleting a recording that may have arrived shows a warning first', async () => {
  await fillForm('On a poor connection');
  // A proxy has timed out, so the recording may have arrived.
  rejectCalls(api.recordings.submit, 504, { retryAfter: 3600 });
  await submitButton.click();
  await expectSafeOnDevice();
  await page.getByRole('button', { name: 'Record another' }).click();
  await queuedRecordings.getByRole('button', { name: 'Delete' }).click();
  await expectText(
    page.getByRole('alertdialog'),
    'Your teacher may already have it, so check Past Recordings first.',
  );
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep it' }).click();
  await expectText(queuedRecordings, 'On a poor connection');
});

test('does not duplicate a recording that another window deletes during submission', async () => {
  const user = buildStudent();
  await fillForm('Two windows', user);
  breakConnection(api.recordings.submit, { times: 1 });
  const loseAnswer = holdResponses(api.recordings.submit);
  await submitButton.click();
  await expect.poll(getSubmittedTitles).toHaveLength(1);
  const otherWindow = openTakeStore();
  const [take] = await otherWindow.listOf(user.id);
  await otherWindow.remove(take!.id);
  otherWindow.close();
  await expect.element(page.getByText('Your teacher may already have it', { exact: true })).toBeVisible();
  await expectText(
    page.getByRole('main'),
    'This recording was deleted in another window, but it’s still here.',
  );
  loseAnswer();
  await submitButton.click();
  await expectSubmitted();
  expect(getCalls(api.recordings.submit).map(({ body }) => body['clientId'])).toEqual([take!.id, take!.id]);
});
