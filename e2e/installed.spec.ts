import { createTone } from '#testing/tone.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

test.use({ sharesWorld: true });

// Tests what operating systems let users do with the installed app.

const FILE = 'Audio message, 9 May.wav';

/** Posts an audio file to a URL from the open page, as operating systems do when a user shares a file. */
const share = (page: Page, action = '/submit') =>
  page.evaluate(
    ({ name, given, to }) => {
      const chosen = new DataTransfer();
      chosen.items.add(new File([new Uint8Array(given)], name, { type: 'audio/wav' }));
      const form = Object.assign(document.createElement('form'), {
        method: 'POST',
        action: to,
        enctype: 'multipart/form-data',
      });
      const field = Object.assign(document.createElement('input'), { type: 'file', name: 'sound' });
      field.files = chosen.files;
      form.append(field);
      document.body.append(form);
      form.submit();
    },
    { name: FILE, given: [...createTone(1)], to: action },
  );

test('a shared audio file opens in the form, with a warning if another website sent it', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student, { serviceWorkers: 'allow' });
  await page.goto('/');
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);

  await test.step('an audio file shared by another app opens once and can be submitted', async () => {
    await share(page);
    const upload = page.getByRole('tab', { name: 'Upload Audio File' });
    await expect(upload).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByText(FILE).first()).toBeVisible();
    await expect(page).toHaveURL(/\/submit$/);
    await page.getByLabel('Title').fill('From another app');
    await page.getByRole('button', { name: 'Submit to the teacher' }).click();
    await expect(page.getByRole('heading', { name: /has been submitted/ })).toBeVisible();
    const { body } = await (await world.as(student)).get('/api/student/recordings');
    expect(body).toMatchObject([{ title: 'From another app', duration: 1 }]);
    await page.goto('/submit?shared');
    await expect(page.getByText('The audio didn’t arrive', { exact: true }).first()).toBeVisible();
  });

  await test.step('the form warns about a file from another website, even without a referrer', async () => {
    await page.route('http://elsewhere.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<meta name="referrer" content="no-referrer">' }),
    );
    await page.goto('http://elsewhere.example/');
    await share(page, `${world.url}/submit`);
    await expect(page.getByText(FILE).first()).toBeVisible();
    await expect(page.getByText('This audio came from another website')).toBeVisible();
    await expect(page).toHaveURL(/\/submit$/);
  });
});
