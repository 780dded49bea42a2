import { expect } from 'vitest';
import { api } from '#app/api.ts';
import { getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import { buildStudent, type MeFixture } from './community.ts';
import { getCalls } from './fake-api.ts';
import { renderPage } from './render-page.tsx';
import { chooseFile, page } from './screen.ts';

export const titleField = page.getByLabelText('Title');
export const submitButton = page.getByRole('button', { name: 'Submit to the teacher' });
export const recordAgainButton = page.getByRole('button', { name: 'Record Again', exact: true });
/** The offer to submit a recording that was left unsent earlier. */
export const abandonedTakeOffer = page.getByRole('region', { name: 'You have an unsent recording' });
/** The list of submitted recordings that have not arrived yet. */
export const queuedRecordings = page.getByRole('region', { name: 'Not sent yet' });

/** Opens the page as a new student by default, because takes on the device belong to a user. */
export const openSubmitPage = (path = '/submit', user = buildStudent()) => renderPage(path, { user });

export const pressRecord = () => page.getByRole('button', { name: 'Start recording' }).click();
export const pressStop = () => page.getByRole('button', { name: 'Stop recording' }).click();
export const expectRecordingInProgress = () => expect.element(page.getByText(/^Recording · /)).toBeVisible();

/** Waits until the take is long enough to be submitted. */
export const expectOneSecondRecorded = () =>
  expect.element(page.getByText(/^\d:(0[1-9]|[1-5]\d)$/)).toBeVisible();

export async function recordOneSecond() {
  await pressRecord();
  await expectRecordingInProgress();
  await expectOneSecondRecorded();
}

export async function recordTake() {
  await recordOneSecond();
  await pressStop();
  await expect.element(recordAgainButton).toBeVisible();
}

export async function chooseAudioFile(file: File) {
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  const input = page.css('input[type=file]');
  await expect.element(input).toBeVisible();
  chooseFile(input, file);
}

export const expectSubmitted = () =>
  expect
    .element(page.getByRole('heading', { name: 'Your recording has been submitted to the teacher!' }))
    .toBeVisible();

export const expectSafeOnDevice = () =>
  expect.element(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();

/** Presses “Delete”, and confirms. */
export async function discardAbandonedTake() {
  await abandonedTakeOffer.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
}

/** Fires the event with which the browser reports that it has reconnected. */
export const dispatchOnlineEvent = () => dispatchEvent(new Event('online'));

/** Returns the takes stored on the device for a user. */
export const listTakes = ({ id }: MeFixture) => getTakeStore().listOf(id);

/** Returns the titles of the recordings that the page has submitted. */
export const getSubmittedTitles = () => getCalls(api.recordings.submit).map(({ body }) => body['title']);
