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
/** The offer of what was left unsent. */
export const found = page.getByRole('region', { name: 'A recording was not submitted' });
/** The list of what was submitted and has not arrived. */
export const onItsWay = page.getByRole('region', { name: 'On its way to the teacher' });

/** What is on the device belongs to a person; each test has one of its own. */
export const open = (path = '/submit', user = aStudent()) => renderPage(path, { user });

export const start = () => page.getByRole('button', { name: 'Start recording' }).click();
export const stop = () => page.getByRole('button', { name: 'Stop recording' }).click();
export const isRecording = () => expect.element(page.getByText(/^Recording · /)).toBeVisible();

/** Long enough to be a recording. */
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
  await found.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
}

/** The connection is back, as the browser tells the page. */
export const comeOnline = () => dispatchEvent(new Event('online'));

/** What the device keeps for somebody. */
export const takesOf = ({ id }: Me) => takeStore().listOf(id);

/** The titles of the recordings that the server was asked to make. */
export const sent = () => callsOf(api.recordings.submit).map(({ body }) => body['title']);
