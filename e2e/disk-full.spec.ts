import { STORAGE_FULL } from '#server/media/disk-space.ts';
import { tone } from '#testing/tone.ts';
import { TEACHER, expect, test } from './fixtures.ts';
import { namesOfTakes, recordedFor } from './takes.ts';

// More than any disk has.
test.use({ environment: { MIN_FREE_DISK: '1000TB' } });

test('while the disk is full a take waits on its device, a melody in its form, and the teacher knows', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const page = await signedIn(student);
  await page.goto('/submit');
  await page.getByLabel('Title').fill('Sung today');
  await page.getByRole('button', { name: 'Start recording' }).click();
  await recordedFor(page, 1);
  await page.getByRole('button', { name: 'Stop recording' }).click();
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(
    `${STORAGE_FULL} It is safe on this device and will be sent while this page is open.`,
  );
  expect(await namesOfTakes(page)).toHaveLength(1);

  const teacherPage = await signedIn(TEACHER);
  await teacherPage.goto('/');
  await expect(teacherPage.getByRole('region', { name: 'About this server' })).toContainText(
    'The server is running out of room',
  );
  await teacherPage.goto('/admin/add-melody');
  await teacherPage.getByLabel('Title').fill('Song of the valley');
  await teacherPage.getByLabel('Transmission level').selectOption({ label: 'Open to All' });
  await teacherPage
    .getByLabel('Audio file')
    .setInputFiles({ name: 'song.wav', mimeType: 'audio/wav', buffer: tone(2) });
  await teacherPage.getByRole('button', { name: /add melody/i }).click();
  await expect(teacherPage.getByRole('alert')).toContainText(
    `${STORAGE_FULL} Everything you gave is still here.`,
  );
});
