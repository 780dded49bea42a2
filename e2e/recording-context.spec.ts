import type { Page } from '@playwright/test';
import { addMelody } from './inbox.ts';
import { expect, test, type Student, type World } from './fixtures.ts';
import { recordedFor } from './takes.ts';

test.use({ sharesWorld: true });

const found = (page: Page) => page.getByRole('region', { name: 'A recording was not submitted' });
const melodyField = (page: Page) => page.getByLabel('Melody');

async function sing(page: Page) {
  await page.getByRole('button', { name: 'Start recording' }).click();
  await recordedFor(page, 2);
}

async function sent(world: World, student: Student) {
  const { body } = await (await world.as(student)).get('/api/student/recordings');
  return body as { title: string; message: string | null; melodyId: number | null }[];
}

test('a recording that was cut off is spoken of on the next page, and comes back with its melody and its words', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const melodyId = await addMelody(world, { title: 'Left behind' });
  const page = await signedIn(student);
  await page.goto(`/submit?melody=${melodyId}`);
  await expect(page.getByLabel('Title')).toHaveValue('Left behind');
  await page.getByLabel('Message').fill('Sung on the way down');
  await sing(page);
  await page.close();

  const next = await page.context().newPage();
  await next.goto('/');
  const left = next.getByRole('status', { name: 'Recording on this device' });
  await expect(left).toContainText('It was not submitted.');
  await left.getByRole('link', { name: 'Listen to it' }).click();
  await expect(next).toHaveURL(/\/submit$/);
  await expect(left).toHaveCount(0);
  await expect(melodyField(next)).toHaveValue('');
  await found(next).getByRole('button', { name: 'Use this recording' }).click();
  await expect(melodyField(next)).toHaveValue(String(melodyId));
  await expect(next.getByLabel('Title')).toHaveValue('Left behind');
  await expect(next.getByLabel('Message')).toHaveValue('Sung on the way down');
  await next.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(next.getByRole('heading', { name: 'Your recording has been submitted' })).toBeVisible();
  expect(await sent(world, student)).toMatchObject([
    { title: 'Left behind', message: 'Sung on the way down', melodyId },
  ]);
});
