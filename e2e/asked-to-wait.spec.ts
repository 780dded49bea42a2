import type { Page } from '@playwright/test';
import * as inbox from './inbox.ts';
import { expect, test } from './fixtures.ts';
import { listTakeNames, waitUntilRecorded } from './takes.ts';

test.use({ environment: { STUDENT_DAILY_RECORDINGS: '2' } });

const WHY = 'You’ve sent 2 recordings in 24 hours, which is the limit.';

async function record(page: Page, title: string) {
  await page.goto('/submit');
  await page.getByLabel('Title').fill(title);
  await page.getByRole('button', { name: 'Start recording' }).click();
  await waitUntilRecorded(page, 1);
  await page.getByRole('button', { name: 'Stop recording' }).click();
}

test('a recording above the daily limit waits until an earlier recording is deleted', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const first = await inbox.submitRecording(world, student, { title: 'First' });
  await inbox.submitRecording(world, student, { title: 'Second' });
  const page = await signedIn(student);
  await record(page, 'Third');
  await page.getByRole('button', { name: 'Submit to the teacher' }).click();
  await expect(page.getByRole('heading', { name: 'Your recording is safe on this device' })).toBeVisible();
  await expect(page.getByText(WHY)).toContainText('Open this page again tomorrow after');
  await expect(page.getByText('Failed to submit recording.')).toBeHidden();
  expect(await listTakeNames(page)).toHaveLength(1);

  // The server postponed the recording instead of rejecting it, so the page lists it as waiting, with the
  // reason.
  await page.goto('/submit');
  const waiting = page.getByRole('region', { name: 'Not sent yet' });
  await expect(waiting.getByText('Third')).toBeVisible();
  await expect(waiting.getByRole('status')).toContainText(WHY);

  const elsewhere = await world.as(student);
  expect((await elsewhere.delete(`/api/recordings/${first}`)).status).toBe(200);
  await waiting.getByRole('button', { name: 'Try now' }).press('Enter');
  await expect(waiting).toBeHidden();
  expect(await listTakeNames(page)).toEqual([]);
  const { body } = await elsewhere.get('/api/student/recordings');
  expect((body as { title: string }[]).map(({ title }) => title)).toEqual(['Third', 'Second']);
});
