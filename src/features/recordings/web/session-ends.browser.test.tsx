import { afterEach, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { runWhenNavigationUnblocked } from '#web/navigation/navigation-block.ts';
import { buildStudent, fetchToneFile } from '#testing/browser/community.ts';
import { navigationsAndDownloads } from '#testing/browser/navigations-and-downloads.ts';
import { breakConnection, rejectCalls } from '#testing/browser/fake-api.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, page } from '#testing/browser/screen.ts';
import {
  chooseAudioFile,
  dispatchOnlineEvent,
  abandonedTakeOffer,
  expectRecordingInProgress,
  expectSafeOnDevice,
  queuedRecordings,
  openSubmitPage,
  getSubmittedTitles,
  recordOneSecond,
  pressStop,
  submitButton,
  titleField,
} from '#testing/browser/submit-page.ts';
import { mockUploads } from '#testing/browser/uploads.ts';
import { stopSendingTakes } from './take-sending.ts';

// Stops sending, as closing the tab does.
afterEach(stopSendingTakes);

// A page loses its session only once, so there is only one test here.
test('recording continues when the session ends, and unsent recordings are restored', async () => {
  const user = buildStudent();
  mockUploads();
  breakConnection(api.uploads.begin);
  await openSubmitPage('/submit', user);
  await titleField.fill('Queued one');
  await chooseAudioFile(await fetchToneFile('song.wav', 1));
  await submitButton.click();
  await expectSafeOnDevice();
  await page.getByRole('button', { name: 'Record another' }).click();
  await titleField.fill('Being sung');
  await recordOneSecond();
  rejectCalls(api.uploads.begin, 401, { message: 'Unauthorized' });
  dispatchOnlineEvent();
  await expect.element(page.getByText('It will be sent when you sign in again.')).toBeInTheDocument();
  const leads = vi.fn();
  runWhenNavigationUnblocked(leads);
  expect(leads).not.toHaveBeenCalled();
  await expectRecordingInProgress();
  await pressStop();
  await expect.element(page.getByText('You are logged out. Logging in again...').first()).toBeVisible();
  await expect.poll(() => navigationsAndDownloads).toEqual(['/api/login']);
  stopSendingTakes();
  expect(getSubmittedTitles()).toEqual([]);

  await renderPage('/auth', { user: null });
  const said = page.getByText(/^An unsent recording is safe on this device/);
  await expect.element(said).toBeVisible();
  await expectCount(page.getByText(/Queued one|Being sung|tashi/i), 0);

  mockUploads();
  await openSubmitPage('/submit', user);
  await expect.element(abandonedTakeOffer).toBeVisible();
  await expect.element(titleField).toHaveValue('Being sung');
  await expect.poll(getSubmittedTitles).toEqual(['Queued one']);
  await expectCount(queuedRecordings, 0);
});
