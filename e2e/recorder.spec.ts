import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { listTakeNames, waitUntilRecorded } from './takes.ts';

test.use({ sharesWorld: true });

const start = (page: Page) => page.getByRole('button', { name: 'Start recording' }).click();
const stop = (page: Page) => page.getByRole('button', { name: 'Stop recording' }).click();

test('a take omits pauses, and only a finished new take replaces it', async ({ signedIn, world }) => {
  const page = await signedIn(await world.student());
  await page.goto('/submit');
  const pressed = Date.now();
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await waitUntilRecorded(page, 1);
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByText('Paused. Not recording.').first()).toBeVisible();
  const paused = Date.now();
  // Pauses for longer than the rounding error of the displayed duration.
  await page.waitForTimeout(2_000);
  const pause = Date.now() - paused;
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await page.getByRole('button', { name: 'Stop recording' }).click();
  const length = page.getByRole('group', { name: 'Your recording' }).getByText(/^0:00 \/ 0:\d\d$/);
  await expect(length).toBeVisible();
  const first = await length.textContent();
  const seconds = Number(first!.slice(-2));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(Math.round((Date.now() - pressed - pause) / 1000));
  await page.getByRole('button', { name: 'Record Again' }).click();
  await expect(page.getByRole('button', { name: 'Start recording' })).toBeVisible();
  // The recorder now has nothing to submit, but the device still stores the first recording.
  await page.getByLabel('Title').fill('Sung again');
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(page.getByText(/^Record again, or press “Keep my recording”/).first()).toBeVisible();
  await expect(page.getByText('Please record or upload an audio file.')).toHaveCount(0);
  await page.getByRole('button', { name: 'Keep my recording' }).click();
  await expect(length).toHaveText(first!);
  // Denies access to the microphone. The first recording must survive.
  await page.evaluate(() => {
    const original = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    let isRefused = true;
    navigator.mediaDevices.getUserMedia = (constraints) => {
      if (!isRefused) return original(constraints);
      isRefused = false;
      return Promise.reject(new DOMException('', 'NotAllowedError'));
    };
  });
  await page.getByRole('button', { name: 'Record Again' }).click();
  await start(page);
  await expect(page.getByText('Could not access microphone.')).toBeVisible();
  await page.getByRole('button', { name: 'Keep my recording' }).click();
  await expect(length).toHaveText(first!);
  await page.getByRole('button', { name: 'Record Again' }).click();
  await start(page);
  const sung = async () => Number((await page.getByText(/^\d:\d\d$/).textContent())!.slice(-2));
  await expect.poll(sung).toBeGreaterThan(seconds + 1);
  await stop(page);
  await expect(length).not.toHaveText(first!);
  const second = await length.textContent();
  // The second recording has replaced the first.
  await expect.poll(() => listTakeNames(page)).toHaveLength(1);
  await page.reload();
  const found = page.getByRole('region', { name: 'You have an unsent recording' });
  await expect(found.getByText(second!)).toBeVisible();
  await found.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(found).toHaveCount(0);
});
