import type { Page } from '@playwright/test';
import { createSlowConnection } from '#testing/slow-connection.ts';
import { NOT_AUDIO_MESSAGE } from '#shared/audio-rejections.ts';
import { createTone } from '#testing/tone.ts';
import { expectAccessibleInBothThemes } from './expect-accessible.ts';
import { TEACHER_CREDENTIALS, expect, test } from './fixtures.ts';
import { PICTURE_UPLOAD, findMelodyTitles, findToastRegion } from './melodies.ts';

test.use({ sharesWorld: true });

/** Duration of a melody whose upload takes several chunks. */
const SECONDS = 270;

test('a melody is previewed, then uploaded despite a broken connection', async ({ signedIn, world }) => {
  const line = await createSlowConnection({
    to: world.url,
    bitsPerSecond: 50_000_000,
    upBitsPerSecond: 6_000_000,
    latencyMs: 5,
  });
  const page = await signedIn(TEACHER_CREDENTIALS, { baseURL: line.url });
  await page.goto('/admin/add-melody');
  const check = (what: string) => expectAccessibleInBothThemes(page, what);
  await page.getByLabel('Title').fill('Sent Slowly');
  await page.getByLabel('Transmission level').selectOption({ label: 'Open to All' });

  await test.step('the form rejects a dropped file without audio and accepts a dropped audio file', async () => {
    const sound = page.locator('[data-field=audioFile]');
    await drop(page, sound.getByText('Choose a file'), 'no-sound.wav', 'audio/wav', Buffer.from('no sound'));
    await expect(sound.getByText('no-sound.wav', { exact: true })).toBeVisible();
    await expect(sound.getByText(NOT_AUDIO_MESSAGE)).toBeVisible();
    await page.getByRole('button', { name: 'Add Melody' }).click();
    await expect(page.getByLabel('Audio file')).toBeFocused();
    await expect(page.getByLabel('Title')).toHaveValue('Sent Slowly');
    await drop(
      page,
      sound.getByText('no-sound.wav', { exact: true }),
      'dropped.wav',
      'audio/wav',
      createTone(SECONDS),
    );
    await expect(sound.getByText('dropped.wav', { exact: true })).toBeVisible();
  });

  await test.step('the form previews the picture and the audio', async () => {
    await page.getByRole('button', { name: 'Description, picture and video' }).click();
    await page.getByLabel('Thumbnail image').setInputFiles(PICTURE_UPLOAD);
    await expect(page.getByRole('img', { name: 'Preview of the picture' })).toBeVisible();
    const preview = page.getByRole('group', { name: 'dropped.wav' });
    await expect(preview).toContainText('4:30');
    await preview.getByRole('button', { name: 'Play dropped.wav' }).click();
    await expect(preview.getByRole('button', { name: 'Pause dropped.wav' })).toBeVisible();
    await preview.getByRole('button', { name: 'Pause dropped.wav' }).click();
    await check('add, files chosen');
  });

  const isToAdd = (url: URL) => url.pathname === '/api/melodies';
  const submit = page.getByRole('button', { name: 'Add Melody' });
  const size = createTone(SECONDS).length;

  await test.step('the upload waits while the connection is lost, then resumes where it stopped', async () => {
    const percentages = await watchPercentages(page);
    await page.route(isToAdd, (route) => route.abort());
    const before = line.sent();
    await submit.click();
    await expect.poll(async () => (await percentages()).at(-1) ?? 0).toBeGreaterThan(0);
    line.cut();
    await expect(page.getByText('Waiting for internet. Sending will continue by itself')).toBeVisible();
    await check('add, waiting');
    line.restore();
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to add melody' })).toBeVisible({
      timeout: 60_000,
    });
    const seen = await percentages();
    const onTheWay = seen.filter((percent) => percent > 0 && percent < 100);
    expect(onTheWay.length, String(seen)).toBeGreaterThan(1);
    expect(onTheWay).toEqual(onTheWay.toSorted((a, b) => a - b));
    expect(line.sent() - before).toBeLessThan(size + 2 * 1024 * 1024);
    await page.unroute(isToAdd);
  });

  await test.step('a retry after a failed save does not upload the audio again', async () => {
    const before = line.sent();
    await submit.click();
    const added = page.getByRole('main').getByRole('status').filter({ hasText: 'Melody added successfully' });
    await expect(added).toContainText('“Sent Slowly” has been added to the library.');
    await expect(findToastRegion(page)).toContainText('The new melody has been added to the library.');
    expect(line.sent() - before).toBeLessThan(1024 * 1024);
    await expect(page.getByLabel('Title')).toHaveValue('');
    await added.getByRole('link', { name: 'View it in the library' }).click();
    await expect(findMelodyTitles(page).first()).toHaveText('Sent Slowly');
  });
  await line.end();
});

/** Records each upload percentage shown from now on. */
async function watchPercentages(page: Page) {
  const seen = await page.evaluateHandle(() => {
    const seen: number[] = [];
    new MutationObserver(() => {
      const percent = document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow');
      if (percent && Number(percent) !== seen.at(-1)) seen.push(Number(percent));
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
    return seen;
  });
  return () => seen.jsonValue();
}

/** Drops a file beside the target, which must have no effect, and then onto the target. */
async function drop(
  page: Page,
  place: ReturnType<Page['locator']>,
  name: string,
  type: string,
  bytes: Buffer,
) {
  const dataTransfer = await page.evaluateHandle(
    (file) => {
      const given = new DataTransfer();
      const content = Uint8Array.from(atob(file.base64), (letter) => letter.charCodeAt(0));
      given.items.add(new File([content], file.name, { type: file.type }));
      return given;
    },
    { name, type, base64: bytes.toString('base64') },
  );
  await page.getByRole('heading', { level: 1 }).dispatchEvent('drop', { dataTransfer });
  await place.dispatchEvent('drop', { dataTransfer });
}
