import type { Page } from '@playwright/test';
import { tone } from '../src/testing/tone.ts';
import { answerAll, focusFirstCard, submit } from './inbox.ts';
import { TEACHER, expect, test } from './fixtures.ts';
import { slowDownDevice } from './slow-device.ts';
import { namesOfTakes } from './takes.ts';

test.beforeEach(({ world }) => answerAll(world));

test('a spoken reply survives a tab that is closed in the middle, and is sent', async ({
  signedIn,
  world,
}) => {
  const id = await submit(world, await world.student(), { title: 'Spoken to' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  await focusFirstCard(page, 'Spoken to');
  await page.keyboard.press('r');
  await expect(page.getByText(/^Recording · /)).toBeVisible();
  await page.waitForTimeout(2_500);
  await page.close();

  const again = await page.context().newPage();
  await again.goto('/admin');
  await expect(again.getByText(/it was cut off. What was said until then is here/)).toBeVisible();
  await again.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(again.getByText('All Caught Up')).toBeVisible();
  const { body } = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
  expect(body.audioFeedbackDuration).toBeGreaterThanOrEqual(1);
  await again.reload();
  await expect(again.getByText('All Caught Up')).toBeVisible();
  await expect.poll(() => namesOfTakes(again)).toEqual([]);
});

for (const [how, leave] of [
  ['a reload', (page: Page) => page.reload().then(() => page)],
  [
    'a tab that is closed',
    async (page: Page) => {
      const again = await page.context().newPage();
      await page.close();
      await again.goto('/admin');
      return again;
    },
  ],
] as const) {
  test(`a file that was chosen as the reply survives ${how}, and is sent`, async ({ signedIn, world }) => {
    const id = await submit(world, await world.student(), { title: 'Answered by a file' });
    const page = await signedIn(TEACHER);
    await page.goto('/admin');
    await page.getByRole('button', { name: 'Upload' }).click();
    const choose = (name: string, seconds: number) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'audio/wav', buffer: tone(seconds, 220, 16_000) });
    await choose('first.wav', 2);
    await expect.poll(() => namesOfTakes(page)).toHaveLength(1);
    // Another one takes its place on the device, too.
    await choose('second.wav', 4);
    await expect(page.getByRole('group', { name: 'second.wav' })).toContainText('/ 0:04');
    await expect.poll(() => namesOfTakes(page)).toEqual(['second.wav']);

    const again = await leave(page);
    await expect(again.getByText('You chose this file before, and it was not sent.')).toBeVisible();
    await expect(again.getByRole('group', { name: 'second.wav' })).toContainText('/ 0:04');
    await expect(again.locator('input[type=file]')).not.toBeFocused();
    await again.getByRole('button', { name: 'Send Feedback' }).click();
    await expect(again.getByText('All Caught Up')).toBeVisible();
    const { body } = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
    expect(body.audioFeedbackDuration).toBe(4);
    await expect.poll(() => namesOfTakes(again)).toEqual([]);
  });
}

test('a file that was chosen and taken away again is not offered', async ({ signedIn, world }) => {
  await submit(world, await world.student(), { title: 'Not this file' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  await page.getByRole('button', { name: 'Upload' }).click();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'reply.wav', mimeType: 'audio/wav', buffer: tone(2) });
  await expect.poll(() => namesOfTakes(page)).toHaveLength(1);
  await page.getByRole('button', { name: 'Remove the audio' }).click();
  await expect.poll(() => namesOfTakes(page)).toEqual([]);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Upload' })).toBeVisible();
  await expect(page.getByText(/You chose this file before/)).toHaveCount(0);
});

test('a spoken reply goes on where the connection broke, and sending can be stopped', async ({
  signedIn,
  world,
}) => {
  const id = await submit(world, await world.student(), { title: 'On a poor connection' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const card = page.getByRole('article');
  await card.getByRole('button', { name: 'Upload' }).click();
  await card
    .locator('input[type=file]')
    .setInputFiles({ name: 'reply.wav', mimeType: 'audio/wav', buffer: tone(30, 220, 16_000) });
  let chunks = 0;
  await page.route('**/api/uploads/*start=*', (route) =>
    (chunks += 1) > 1 ? route.abort() : route.continue(),
  );
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(card.getByText('Waiting for a connection.')).toBeVisible();
  await card.getByRole('button', { name: 'Stop sending' }).click();
  await expect(card.getByText(/Sending was stopped/)).toBeVisible();
  await expect(card.getByText('reply.wav').first()).toBeVisible();
  await page.unroute('**/api/uploads/*start=*');

  const starts: number[] = [];
  page.on('request', (request) => {
    const start = new URL(request.url()).searchParams.get('start');
    if (start !== null) starts.push(Number(start));
  });
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(page.getByText('All Caught Up')).toBeVisible();
  expect(starts[0]).toBeGreaterThan(0);
  const { body } = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
  expect(body.audioFeedbackDuration).toBe(30);
});

test('a voice recorded after a lost answer is sent along', async ({ signedIn, world }) => {
  const id = await submit(world, await world.student(), { title: 'Lost answer' });
  const page = await signedIn(TEACHER);
  await page.route('**/api/events', (route) => route.abort());
  await page.goto('/admin');
  const card = page.getByRole('article').filter({ hasText: 'Lost answer' });
  await card.getByLabel('Written feedback').fill('The same words');
  let isFirst = true;
  await page.route('**/api/feedback', async (route) => {
    if (!isFirst || route.request().method() !== 'POST') return route.continue();
    isFirst = false;
    await route.fetch();
    return route.abort();
  });
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(card.getByText('Your reply is still here.')).toBeVisible();
  await card.getByRole('button', { name: 'Record audio response' }).click();
  await expect(card.getByText(/^Recording · /)).toBeVisible();
  await page.waitForTimeout(1_500);
  await card.getByRole('button', { name: 'Stop recording' }).click();
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(page.getByText('It was corrected to what you have sent now.').first()).toBeVisible();
  await expect(card).toHaveCount(0);
  const { body } = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
  expect(body.writtenFeedback).toBe('The same words');
  expect(body.audioFeedbackDuration).toBeGreaterThanOrEqual(1);
});

test('who sends at once, while a slow device still writes the end, sends the whole recording', async ({
  signedIn,
  world,
}) => {
  const id = await submit(world, await world.student(), { title: 'Sent at once' });
  const page = await signedIn(TEACHER);
  await slowDownDevice(page);
  await page.goto('/admin');
  const card = page.getByRole('article');
  await card.getByLabel('Written feedback').fill('With a voice');
  await card.getByRole('button', { name: 'Record audio response' }).click();
  await expect(card.getByText(/^Recording · /)).toBeVisible();
  await page.waitForTimeout(1_500);
  await card.getByRole('button', { name: 'Stop recording' }).press('Enter');
  await card.getByRole('button', { name: 'Send Feedback' }).press('Enter');
  await expect(card.getByText('Stop the recording first, then send your feedback.')).toHaveCount(0);
  await expect(page.getByText('All Caught Up')).toBeVisible();
  const { body } = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
  expect(body.writtenFeedback).toBe('With a voice');
  expect(body.audioFeedbackDuration).toBeGreaterThanOrEqual(1);

  await test.step('a correction waits just so', async () => {
    await page.goto('/past-feedback');
    await card
      .first()
      .getByRole('button', { name: /^Correct/ })
      .click();
    const form = page.getByRole('form', { name: 'Correct the feedback on Sent at once' });
    await form.getByRole('button', { name: 'Record audio feedback' }).click();
    await expect(form.getByText(/^Recording · /)).toBeVisible();
    await page.waitForTimeout(3_500);
    await form.getByRole('button', { name: 'Stop recording' }).press('Enter');
    await form.getByRole('button', { name: 'Save the correction' }).press('Enter');
    await expect(form).toHaveCount(0);
    const { body } = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
    expect(body.audioFeedbackDuration).toBeGreaterThanOrEqual(3);
  });
});

test('nothing goes out in the name of who signed in in another tab', async ({ signedIn, world }) => {
  const id = await submit(world, await world.student(), { title: 'Two teachers' });
  const second = await world.student();
  await world.sql(`update users set role = 'admin' where id = $1`, [second.id]);
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const card = page.getByRole('article').filter({ hasText: 'Two teachers' });
  const text = card.getByLabel('Written feedback');
  await expect(text).toBeVisible();
  const signIn = ({ username, password }: { username: string; password: string }) =>
    page.request.post('/api/login', { data: { username, password } });
  await signIn(second);
  await text.fill('Private words');
  await expect(card.getByText('Somebody else has signed in in this browser.')).toBeVisible();
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(card.getByRole('alert')).toContainText('Sign in again to send it.');
  await expect(text).toHaveValue('Private words');
  expect((await world.teacher.get(`/api/admin/recordings/${id}/feedback`)).status).toBe(404);
  expect((await (await world.as(second)).get('/api/admin/feedback-drafts')).body).toEqual([]);

  await signIn(TEACHER);
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(card).toHaveCount(0);
  const { body } = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
  expect(body.writtenFeedback).toBe('Private words');
  await world.sql(`update users set role = 'student' where id = $1`, [second.id]);
});

test('a double click makes one feedback', async ({ signedIn, world }) => {
  const student = await world.student();
  await submit(world, student, { title: 'Once' });
  const page = await signedIn(TEACHER);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/feedback')) sent.push(request.url());
  });
  await page.goto('/admin');
  await page.getByLabel('Written feedback').fill('Once is enough');
  await page.getByRole('button', { name: 'Send Feedback' }).dblclick();
  await expect(page.getByText('All Caught Up')).toBeVisible();
  expect(sent).toHaveLength(1);
  expect((await (await world.as(student)).get('/api/feedback')).body).toHaveLength(1);
  // Nothing is left of the draft that was on its way.
  expect((await world.teacher.get('/api/admin/feedback-drafts')).body).toEqual([]);
});
