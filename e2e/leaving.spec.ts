import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { recordedFor } from './takes.ts';

test.use({ sharesWorld: true });

const PHONE = { width: 390, height: 844 };

async function recordOnThePageAfterFeedback(page: Page) {
  await page.goto('/melodies');
  await page.goto('/feedback');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Submit Recording' }).click();
  await expect(page).toHaveURL(/\/submit$/);
  await page.getByRole('button', { name: 'Start recording' }).click();
  // Long enough to be one.
  await recordedFor(page, 1);
}

/** As the phone's Back does, which tells nobody whether it was heeded. */
const back = (page: Page) => page.evaluate(() => history.back());
const asks = (page: Page) => page.getByRole('alertdialog', { name: 'Leave without sending your recording?' });
const isStillRecording = (page: Page) => expect(page.getByText(/^Recording · /)).toBeVisible();

for (const browser of ['with the Navigation API', 'without it'] as const) {
  test(`the way back asks during a recording and leads back then; one that ended or was left by a link leaves nothing in it (a browser ${browser})`, async ({
    signedIn,
    world,
  }) => {
    const page = await signedIn(await world.student(), { viewport: PHONE });
    if (browser === 'without it')
      await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
    await recordOnThePageAfterFeedback(page);
    await back(page);
    await expect(asks(page)).toContainText('What you have sung is kept on this device and offered to you');
    await expect(page).toHaveURL(/\/submit$/);
    await page.getByRole('button', { name: 'Stay here' }).click();
    await isStillRecording(page);

    await back(page);
    await asks(page).getByRole('button', { name: 'Leave' }).click();
    await expect(page).toHaveURL(/\/feedback$/);
    await expect(page.getByRole('heading', { name: 'Feedback', level: 1 })).toBeAttached();
    // It did go back: the page before is one step away, and the recorder one step ahead.
    await page.goForward();
    await expect(page).toHaveURL(/\/submit$/);
    await expect(page.getByRole('region', { name: 'A recording was not submitted' })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(/\/feedback$/);
    await page.goBack();
    await expect(page).toHaveURL(/\/melodies$/);

    await recordOnThePageAfterFeedback(page);
    await expect(page.getByText(/^0:(0[1-9]|[1-5]\d)$/)).toBeVisible();
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
    await back(page);
    await expect(page).toHaveURL(/\/feedback$/);

    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Submit Recording' }).click();
    await page.getByRole('button', { name: 'Start recording' }).click();
    await isStillRecording(page);
    await page.getByRole('button', { name: 'Menu' }).click();
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await drawer.getByRole('link', { name: 'Past Recordings' }).click();
    await asks(page).getByRole('button', { name: 'Stay here' }).click();
    // Nothing covers the recorder.
    await expect(drawer).toHaveCount(0);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: 'Continue' }).click();

    await page.getByRole('button', { name: 'Menu' }).click();
    await drawer.getByRole('link', { name: 'Past Recordings' }).click();
    await asks(page).getByRole('button', { name: 'Leave' }).click();
    await expect(page).toHaveURL(/\/past-recordings$/);
    await page.goBack();
    await expect(page).toHaveURL(/\/submit$/);
    await page.goBack();
    await expect(page).toHaveURL(/\/feedback$/);
  });
}
