import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openDatabase } from '../src/db/database.ts';
import { user } from '../src/platform/server/embedded-postgres/initdb.ts';
import { port } from '../src/platform/server/embedded-postgres/socket-folder.ts';
import { noticesIn } from '../src/platform/server/notices.ts';
import { expectAccessible, expectNoSidewaysScroll } from './axe.ts';
import * as inbox from './inbox.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';
import { namesOfTakes } from './takes.ts';

test.use({ environment: { STUDENT_DAILY_RECORDINGS: '2' } });

/** An open page hears of it within a second or so; the stream itself is opened three seconds after the page. */
const SOON = { timeout: 30_000 };
const WHY = 'You have sent 2 recordings within 24 hours, which is the limit.';

async function record(page: Page, title: string) {
  await page.goto('/submit');
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Start recording' }).click();
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await page.waitForTimeout(1_500);
  await page.getByRole('button', { name: 'Stop recording' }).click();
}

test('a student who has sent enough for a day reads so; the take stays, and goes by itself once it may', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const first = await inbox.submit(world, student, { title: 'First' });
  await inbox.submit(world, student, { title: 'Second' });
  const page = await signedIn(student);
  await record(page, 'Third');
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
  await expect(page.getByText(WHY)).toContainText(
    'will be sent when you open this page again tomorrow after',
  );
  await expect(page.getByText('Failed to submit recording.')).toBeHidden();
  expect(await namesOfTakes(page)).toHaveLength(1);

  // It has not been refused: on the page that one comes back to it waits, and says why.
  await page.goto('/submit');
  const waiting = page.getByRole('region', { name: 'On its way to the teacher' });
  await expect(waiting.getByText('Third')).toBeVisible();
  await expect(waiting.getByRole('status')).toContainText(WHY);

  const elsewhere = await world.as(student);
  expect((await elsewhere.delete(`/api/recordings/${first}`)).status).toBe(200);
  await waiting.getByRole('button', { name: 'Try now' }).press('Enter');
  await expect(waiting).toBeHidden();
  expect(await namesOfTakes(page)).toEqual([]);
  const { body } = await elsewhere.get('/api/student/recordings');
  expect((body as { title: string }[]).map(({ title }) => title)).toEqual(['Third', 'Second']);
});

/** As another process on the same database says it. */
async function withNotices(world: World, use: (notices: ReturnType<typeof noticesIn>) => Promise<void>) {
  const host = join(world.dataDir, 'socket');
  const database = openDatabase({ host, port, user, database: 'yangchen' }, () => undefined);
  try {
    await use(noticesIn(database.db));
  } finally {
    await database.close();
  }
}

test('a notice comes onto the teacher’s open page and goes, and leaves the one who types where she is', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  await inbox.submit(world, student, { title: 'Waits for an answer' });
  const page = await signedIn(TEACHER);
  const streaming = page.waitForResponse((answer) => answer.url().endsWith('/api/events'));
  await page.goto('/admin');
  await streaming;
  const about = page.getByRole('region', { name: 'About this server' });
  const words = page.getByLabel('Written feedback').first();
  await words.fill('Breathe');
  await expect(about).toBeHidden();
  await withNotices(world, async (notices) => {
    await notices.raise('files-damaged', { missing: 2, changed: 1 });
    await expect(about).toContainText('2 files are missing, and 1 file is no longer what was sent.', SOON);
    await expect(words).toBeFocused();
    await words.pressSequentially(' there');
    await expect(words).toHaveValue('Breathe there');

    // On every page, from its first moment on; never for a student.
    for (const path of ['/', '/admin', '/melodies', '/admin/users', '/admin/registrations']) {
      let asked = 0;
      page.on('request', (request) => (asked += Number(request.url().endsWith('/api/admin/notices'))));
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await expect(about).toBeVisible();
      expect(asked, path).toBe(0);
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `the notice, ${colorScheme}`);
    }
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoSidewaysScroll(page, 'the notice on the smallest screen');
    await page.setViewportSize({ width: 1280, height: 800 });
    const phone = await signedIn(student);
    await phone.goto('/');
    await expect(phone.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(phone.getByRole('region', { name: 'About this server' })).toBeHidden();

    const again = page.waitForResponse((answer) => answer.url().endsWith('/api/events'));
    await page.goto('/admin');
    await again;
    await notices.clear('files-damaged');
    await expect(about).toBeHidden(SOON);
  });
});
