import { tone } from '../src/testing/tone.ts';
import { expectAccessible } from './axe.ts';
import { answerAll, submit } from './inbox.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';
import { namesOfTakes } from './takes.ts';

test.beforeEach(({ world }) => answerAll(world));

test('feedback is found by student and melody, corrected, and the student sees both', async ({
  signedIn,
  world,
}) => {
  const student = await world.student({ firstName: 'Yangchen', lastName: 'Wangmo' });
  const id = await submit(world, student, { title: 'To be corrected', seconds: 5 });
  await world.teacher.form('/api/feedback', {
    recordingId: id,
    writtenFeedback: 'Too fast',
    audioFeedback: { bytes: tone(2), name: 'reply.wav' },
  });
  const page = await signedIn(TEACHER);
  await page.goto('/past-feedback');
  await page.getByLabel('Search by student or melody').fill('wangmo corrected');
  await expect(page).toHaveURL(/\?q=wangmo\+corrected$/);
  await expect(page.getByRole('status').filter({ hasText: '1 found' })).toBeAttached();
  await page.reload();
  const card = page.getByRole('article');
  await expect(card).toHaveCount(1);
  await expect(card).toContainText('Not seen yet');
  await expect(card.getByRole('heading', { name: 'Audio feedback' })).toBeVisible();
  await card.getByRole('button', { name: /^Correct/ }).click();
  const form = page.getByRole('form', { name: /Correct the feedback/ });
  await form.getByLabel('Written feedback').fill('Too slow, I meant');
  await form.getByRole('button', { name: 'Mark this moment' }).click();
  await page.keyboard.type('From the first breath');
  await page.keyboard.press('Enter');

  await test.step('what was begun is there after a reload', async () => {
    await page.reload();
    await expect(form.getByLabel('Written feedback')).toHaveValue('Too slow, I meant');
  });
  await expectAccessible(page, 'a correction');
  await form.getByLabel('Take the audio feedback away').check();
  await form.getByRole('button', { name: 'Save the correction' }).click();
  await expect(card).toContainText(/Corrected just now/);
  await expect(card).toContainText('Too slow, I meant');
  await expect(card.getByRole('heading', { name: 'Audio feedback' })).toHaveCount(0);

  await page.getByLabel('Search by student or melody').fill('nobody of this name');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(card.filter({ hasText: 'To be corrected' })).toBeVisible();

  const browser = await signedIn(student);
  await browser.goto('/feedback');
  const answer = browser.getByRole('article');
  await expect(answer).toContainText(/Corrected just now/);
  await expect(answer).toContainText('Too slow, I meant');
  await expect(answer).toContainText('From the first breath');
});

test('a correction is not thrown away unasked, nor saved while one records or for nothing', async ({
  signedIn,
  world,
}) => {
  const id = await submit(world, await world.student(), { title: 'Not so fast' });
  await world.teacher.form('/api/feedback', { recordingId: id, writtenFeedback: 'As it was' });
  const page = await signedIn(TEACHER);
  await page.goto('/past-feedback?q=not+so+fast');
  const card = page.getByRole('article');
  const correct = card.getByRole('button', { name: /^Correct/ });
  const form = card.getByRole('form', { name: /Correct the feedback/ });
  const text = form.getByLabel('Written feedback');
  const save = form.getByRole('button', { name: 'Save the correction' });
  const cancel = form.getByRole('button', { name: 'Cancel' });
  const asking = page.getByRole('alertdialog', { name: 'Discard your changes?' });

  await test.step('with nothing changed there is nothing to save, and nothing to ask', async () => {
    await correct.click();
    await save.click();
    await expect(form.getByRole('status').filter({ hasText: 'Nothing has been changed yet' })).toBeVisible();
    await text.fill('As it was, and more');
    await expect(form.getByText('Nothing has been changed yet')).toHaveCount(0);
    await text.fill('As it was');
    await cancel.click();
    await expect(form).toHaveCount(0);
    await page.reload();
    await expect(correct).toBeVisible();
    expect(await correctedAt(world, id)).toBeNull();
  });

  await test.step('while a reply is recorded it says what to do first', async () => {
    await correct.click();
    await text.fill('Changed');
    await form.getByRole('button', { name: 'Record audio feedback' }).click();
    await expect(form.getByText(/^Recording · /)).toBeVisible();
    for (const press of [save, cancel]) {
      await press.click();
      await expect(form.getByText('Stop the recording first')).toBeVisible();
    }
    await page.waitForTimeout(1_200);
    await form.getByRole('button', { name: 'Stop recording' }).click();
    await expect(form.getByText('Stop the recording first')).toHaveCount(0);
    await expect.poll(() => namesOfTakes(page)).toHaveLength(1);
  });

  await test.step('what was changed and recorded goes only when one says so', async () => {
    await cancel.click();
    await expect(asking).toContainText('the new audio is deleted');
    await expectAccessible(page, 'asking before a correction is discarded');
    await page.keyboard.press('Escape');
    await expect(cancel).toBeFocused();
    await expect(text).toHaveValue('Changed');
    await cancel.click();
    await asking.getByRole('button', { name: 'Discard' }).click();
    await expect(card).toContainText('As it was');
    await expect(card.getByRole('heading', { name: 'Not so fast' })).toBeFocused();
    await expect.poll(() => namesOfTakes(page)).toEqual([]);
    await page.reload();
    await expect(correct).toBeVisible();
    expect(await correctedAt(world, id)).toBeNull();
  });
});

test('a correction does not replace unseen what was corrected meanwhile', async ({ signedIn, world }) => {
  const id = await submit(world, await world.student(), { title: 'Corrected twice' });
  await world.teacher.form('/api/feedback', { recordingId: id, writtenFeedback: 'As it was' });
  const feedbackOf = async () => (await world.teacher.get(`/api/admin/recordings/${id}/feedback`)).body;
  const page = await signedIn(TEACHER);
  await page.route('**/api/events', (route) => route.abort());
  const sent: (string | undefined)[] = [];
  await page.route('**/api/feedback/*', async (route) => {
    sent.push(/name="basedOn"\r\n\r\n(.*)\r\n/.exec(route.request().postData() ?? '')?.[1]);
    if (sent.length > 1) return route.continue();
    return route.fulfill({ status: 409, json: { message: 'This feedback has been corrected meanwhile.' } });
  });
  await page.goto('/past-feedback');
  const card = page.getByRole('article', { name: 'Corrected twice' });
  await card.getByRole('button', { name: /^Correct the feedback/ }).click();
  const form = page.getByRole('form', { name: 'Correct the feedback on Corrected twice' });
  const text = form.getByLabel('Written feedback');
  const save = form.getByRole('button', { name: 'Save the correction' });
  await text.fill('As it was, with a comma');
  const { body } = await world.teacher.form(
    `/api/feedback/${(await feedbackOf()).id}`,
    { writtenFeedback: 'New words from elsewhere' },
    { method: 'PUT' },
  );
  await save.click();
  const newer = form.getByRole('region', { name: 'The newer feedback' });
  await expect(newer).toContainText('New words from elsewhere');
  await expect(text).toHaveValue('As it was, with a comma');
  await expectAccessible(page, 'a correction that was overtaken');

  await test.step('it is still so after a reload, and nothing is sent before one chooses', async () => {
    await page.reload();
    await expect(newer).toContainText('New words from elsewhere');
    await save.click();
    await expect(form.getByText('Choose above which of the two counts')).toBeVisible();
    expect(sent).toEqual(['']);
  });
  await newer.getByRole('button', { name: 'Keep mine' }).click();
  await expect(newer).toHaveCount(0);
  await save.click();
  await expect(form).toHaveCount(0);
  expect(sent).toEqual(['', body.correctedAt]);
  expect((await feedbackOf()).writtenFeedback).toBe('As it was, with a comma');
});

const correctedAt = async (world: World, recordingId: number) =>
  (await world.teacher.get(`/api/admin/recordings/${recordingId}/feedback`)).body.correctedAt as
    string | null;

test('the new sound of a correction waits for a connection, can be stopped, and goes on where it was', async ({
  signedIn,
  world,
}) => {
  const id = await submit(world, await world.student(), { title: 'Corrected in voice' });
  await world.teacher.form('/api/feedback', { recordingId: id, writtenFeedback: 'Too fast' });
  const page = await signedIn(TEACHER);
  await page.goto('/past-feedback?q=corrected+in+voice');
  const card = page.getByRole('article');
  await card.getByRole('button', { name: /^Correct/ }).click();
  const form = page.getByRole('form', { name: /Correct the feedback/ });
  await form.getByRole('button', { name: 'Upload' }).click();
  await form
    .locator('input[type=file]')
    .setInputFiles({ name: 'reply.wav', mimeType: 'audio/wav', buffer: tone(30, 220, 16_000) });
  let chunks = 0;
  await page.route('**/api/uploads/*start=*', (route) =>
    (chunks += 1) > 1 ? route.abort() : route.continue(),
  );
  const save = form.getByRole('button', { name: 'Save the correction' });
  await save.click();
  await expect(form.getByText('Waiting for a connection.')).toBeVisible();
  await expectAccessible(page, 'a correction that waits');
  await form.getByRole('button', { name: 'Stop sending' }).click();
  await expect(form.getByText(/Sending was stopped/)).toBeVisible();
  await page.unroute('**/api/uploads/*start=*');
  const starts: number[] = [];
  page.on('request', (request) => {
    const start = new URL(request.url()).searchParams.get('start');
    if (start !== null) starts.push(Number(start));
  });
  await save.click();
  await expect(card).toContainText(/Corrected just now/);
  expect(starts[0]).toBeGreaterThan(0);
  await expect(card.getByRole('heading', { name: 'Audio feedback' })).toBeVisible();
});
