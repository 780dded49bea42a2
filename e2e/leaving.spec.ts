import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { waitUntilRecorded } from './takes.ts';

test.use({ sharesWorld: true });

const PHONE = { width: 390, height: 844 };

async function openMenuLink(page: Page, name: string) {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name }).click();
}

async function recordOnThePageAfterFeedback(page: Page) {
  await page.goto('/melodies');
  await page.goto('/feedback');
  await openMenuLink(page, 'Submit Recording');
  await expect(page).toHaveURL(/\/submit$/);
  await page.getByRole('button', { name: 'Start recording' }).click();
  // Waits until the recording is long enough to be kept.
  await waitUntilRecorded(page, 1);
}

/** Goes back as a phone's Back button does. Doesn't wait for a navigation, which the page may prevent. */
const back = (page: Page) => page.evaluate(() => history.back());
const findLeaveDialog = (page: Page) =>
  page.getByRole('alertdialog', { name: 'Leave without sending your recording?' });
const expectStillRecording = (page: Page) => expect(page.getByText(/^Recording · /)).toBeVisible();

for (const browser of ['with the Navigation API', 'without the Navigation API'] as const)
  test(`leaving the page during a recording requires confirmation (browser ${browser})`, async ({
    signedIn,
    world,
  }) => {
    const page = await signedIn(await world.student(), { viewport: PHONE });
    if (browser === 'without the Navigation API')
      await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));

    await test.step('Back during a recording shows a dialog, then opens the previous page', async () => {
      await recordOnThePageAfterFeedback(page);
      await back(page);
      await expect(findLeaveDialog(page)).toContainText('Everything up to now is saved on this device');
      await expect(page).toHaveURL(/\/submit$/);
      await page.getByRole('button', { name: 'Stay here' }).click();
      await expectStillRecording(page);
      await back(page);
      await findLeaveDialog(page).getByRole('button', { name: 'Leave' }).click();
      await expect(page).toHaveURL(/\/feedback$/);
      await expect(page.getByRole('heading', { name: 'Feedback', level: 1 })).toBeAttached();
      // Checks that the browser really went back: the history has /melodies before this page, and /submit
      // after it.
      await page.goForward();
      await expect(page).toHaveURL(/\/submit$/);
      await expect(page.getByRole('region', { name: 'You have an unsent recording' })).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL(/\/feedback$/);
      await page.goBack();
      await expect(page).toHaveURL(/\/melodies$/);
    });

    await test.step('Back after a finished recording opens the previous page without a dialog', async () => {
      await recordOnThePageAfterFeedback(page);
      await page.getByRole('button', { name: 'Stop recording' }).click();
      await expect(page.getByRole('button', { name: 'Record Again' })).toBeVisible();
      await back(page);
      await expect(page).toHaveURL(/\/feedback$/);
    });

    await test.step('pressing a link while recording shows a dialog, then adds one history entry', async () => {
      await openMenuLink(page, 'Submit Recording');
      await page.getByRole('button', { name: 'Start recording' }).click();
      await expectStillRecording(page);
      // On a large screen, the menu stays beside the recorder.
      await page.setViewportSize({ width: 1280, height: 800 });
      const link = page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: 'Past Recordings' });
      await link.click();
      await findLeaveDialog(page).getByRole('button', { name: 'Stay here' }).click();
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await link.click();
      await findLeaveDialog(page).getByRole('button', { name: 'Leave' }).click();
      await expect(page).toHaveURL(/\/past-recordings$/);
      await page.goBack();
      await expect(page).toHaveURL(/\/submit$/);
      await page.goBack();
      await expect(page).toHaveURL(/\/feedback$/);
    });
  });
