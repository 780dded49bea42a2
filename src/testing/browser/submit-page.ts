import { expect } from 'vitest';
import { api } from '#app/api.ts';
import { takeStore } from '#features/recordings/web/takes/use-takes.ts';
import { aStudent, type Me } from './community.ts';
import { callsOf } from './fake-api.ts';
import { renderPage } from './render-page.tsx';
import { chooseFile, page } from './screen.ts';

export const title = page.getByLabelText('Title');
export const submit = page.getByRole('button', { name: 'Submit to the teacher' });
export const recordAgain = page.getByRole('button', { name: 'Record Again', exact: true });
/** The offer to submit a recording left from before. */
export const found = page.getByRole('region', { name: 'You have an unsent recording' });
/** The list of submitted recordings that have not arrived yet. */
export const onItsWay = page.getByRole('region', { name: 'Not sent yet' });

/** Opens the page as a new student, because what is on the device belongs to a person. */
export const open = (path = '/submit', user = aStudent()) => renderPage(path, { user });

export const start = () => page.getByRole('button', { name: 'Start recording' }).click();
export const stop = () => page.getByRole('button', { name: 'Stop recording' }).click();
export const isRecording = () => expect.element(page.getByText(/^Recording · /)).toBeVisible();

/** Waits until it is long enough to be a recording. */
export const isASecondLong = () => expect.element(page.getByText(/^\d:(0[1-9]|[1-5]\d)$/)).toBeVisible();

export async function sing() {
  await start();
  await isRecording();
  await isASecondLong();
}

export async function record() {
  await sing();
  await stop();
  await expect.element(recordAgain).toBeVisible();
}

export async function choose(file: File) {
  await page.getByRole('tab', { name: 'Upload Audio File' }).click();
  const input = page.css('input[type=file]');
  await expect.element(input).toBeVisible();
  chooseFile(input, file);
}

export const isSubmitted = () =>
  expect
    .element(page.getByRole('heading', { name: 'Your recording has been submitted to the teacher!' }))
    .toBeVisible();

export const isSafeOnDevice = () =>
  expect.element(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();

/** Presses Discard, and confirms it. */
export async function discardFound() {
  await found.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
}

/** Fires the event with which the browser reports that the connection is back. */
export const comeOnline = () => dispatchEvent(new Event('online'));

/** Returns the takes stored on the device for a user. */
export const takesOf = ({ id }: Me) => takeStore().listOf(id);

/** Returns the titles of the recordings that the server was asked to create. */
export const sent = () => callsOf(api.recordings.submit).map(({ body }) => body['title']);
