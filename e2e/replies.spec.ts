import type { Locator } from '@playwright/test';
import { tone } from '#testing/tone.ts';
import { addMelody, answerAll, focusFirstCard, isPlaying, submit } from './inbox.ts';
import { TEACHER, expect, test } from './fixtures.ts';
import { namesOfTakes, recordedFor } from './takes.ts';

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
  await recordedFor(page, 2);
  await page.close();

  const again = await page.context().newPage();
  await again.goto('/admin');
  await expect(again.getByText(/it was cut off. What was said until then is here/)).toBeVisible();
  await again.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(again.getByText('All Caught Up')).toBeVisible();
  await expect.poll(() => namesOfTakes(again)).toEqual([]);
  // Whoever leaves before it has gone out: it goes out by itself.
  await again.close();
  const spoken = async () =>
    (await world.teacher.get(`/api/admin/recordings/${id}/feedback`)).body.audioFeedbackDuration as unknown;
  await expect.poll(spoken).toBeGreaterThanOrEqual(1);
});

test('what is typed is there again after a reload, and in another browser', async ({ signedIn, world }) => {
  await submit(world, await world.student(), { title: 'Begun' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const text = page.getByLabel('Written feedback');
  await text.fill('Half a thought');
  await page.reload();
  await expect(text).toHaveValue('Half a thought');
  await text.fill('Half a thought, and a whole one');
  await expect(page.getByText('Draft saved')).toBeVisible();

  const other = await signedIn(TEACHER);
  await other.goto('/admin');
  await expect(other.getByLabel('Written feedback')).toHaveValue('Half a thought, and a whole one');
  await other.getByLabel('Written feedback').fill('Changed on the phone');
  await expect(other.getByText('Draft saved')).toBeVisible();
  await page.reload();
  await expect(text).toHaveValue('Changed on the phone');
});

test('two teachers who answer at once make one feedback, and the second sees both answers', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const id = await submit(world, student, { title: 'Answered at once' });
  const second = await world.student({ firstName: 'Ani', lastName: 'Pema' });
  await world.sql(`update users set role = 'admin' where id = $1`, [second.id]);
  const cards = await Promise.all(
    [TEACHER, second].map(async (teacher) => {
      const page = await signedIn(teacher);
      // Nobody tells these pages of each other.
      await page.route('**/api/events', (route) => route.abort());
      await page.goto('/admin');
      const card = page.getByRole('article').filter({ hasText: 'Answered at once' });
      const words = `The words of ${teacher.username}`;
      await card.getByLabel('Written feedback').fill(words);
      return { page, card, words };
    }),
  );
  // Both calls are on their way before either arrives.
  const both = Promise.withResolvers<void>();
  const answers: number[] = [];
  let count = 0;
  for (const { page } of cards) {
    await page.route('**/api/feedback', async (route) => {
      count += 1;
      if (count === 2) both.resolve();
      await both.promise;
      await route.continue();
    });
    page.on('response', (response) => {
      if (response.url().endsWith('/api/feedback')) answers.push(response.status());
    });
  }
  await Promise.all(cards.map(({ card }) => card.getByRole('button', { name: 'Send Feedback' }).click()));
  await expect.poll(() => answers.toSorted()).toEqual([202, 409]);

  const client = await world.as(student);
  const given = async () => (await client.get('/api/feedback')).body as { writtenFeedback: string }[];
  // The one that arrived first goes out after a while.
  await expect.poll(async () => (await given()).length).toBe(1);
  const words = (await given())[0]!.writtenFeedback;
  const [won, lost] = words === cards[0]!.words ? cards : cards.toReversed();
  expect(words).toBe(won!.words);
  await expect(won!.card).toHaveCount(0);
  // What the other teacher has sent takes nothing of this one's draft.
  await lost!.page.reload();
  await expect(lost!.card.getByRole('region', { name: 'What was answered' })).toContainText(won!.words);
  await expect(lost!.card.getByRole('region', { name: 'Your reply' })).toContainText(lost!.words);
  await lost!.card.getByRole('button', { name: 'Put it away' }).click();
  await expect(lost!.card).toHaveCount(0);
  await world.sql(`update users set role = 'student' where id = $1`, [second.id]);
  const after = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
  expect(after.body.writtenFeedback).toBe(won!.words);
});

test('marks dropped while it plays show on both sides and play their passage', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const melodyId = await addMelody(world);
  await submit(world, student, { title: 'With marks', melodyId, seconds: 20 });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const card = page.getByRole('article').filter({ hasText: 'With marks' });
  await focusFirstCard(page, 'With marks');
  await page.keyboard.press('Space');
  await expect.poll(() => playedSeconds(card)).toBeGreaterThan(2);
  await page.keyboard.press('m');
  await page.keyboard.type('Softer here, my friend');
  await expect.poll(() => playedSeconds(card)).toBeGreaterThan(4);
  await page.keyboard.press('Alt+m');
  await page.keyboard.press('Enter');
  expect(await card.locator('audio').first().evaluate(isPlaying)).toBe(true);
  const marks = card.getByRole('list', { name: 'Marks', exact: true }).getByRole('listitem');
  await expect(marks).toHaveCount(1);
  await page.keyboard.press('m');
  await expect(marks).toHaveCount(2);
  await page.keyboard.type('Beautiful');
  await page.keyboard.press('Enter');
  await expect(card).toContainText(/the student reads:\s*0:\d\d–0:\d\d – Softer here, my friend/);
  await expect.poll(() => pinsOn(card)).toHaveLength(2);

  await test.step('a mark is moved, and what it can’t be is said', async () => {
    await card.getByRole('button', { name: 'Adjust the times of mark 1' }).click();
    await card.getByLabel('To', { exact: true }).fill('0:01');
    await card.getByRole('button', { name: 'Set' }).click();
    await expect(card.getByRole('alert')).toHaveText('The end must be after the beginning.');
    await card.getByLabel('From', { exact: true }).fill('0:03');
    await card.getByLabel('To', { exact: true }).fill('0:05.5');
    await card.getByRole('button', { name: 'Set' }).click();
    await expect(marks.first()).toContainText(/^1\s*0:03–0:05/);
    await expect(marks.last()).toContainText(/^2\s*0:\d\d/);
    // A stretch from the third second to half past the fifth, of twenty.
    expect((await pinsOn(card))[0]).toEqual({ number: '1', left: '15%', width: '12.5%' });
  });
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('All Caught Up')).toBeVisible();

  const browser = await signedIn(student);
  await browser.goto('/feedback');
  const answer = browser.getByRole('article').filter({ hasText: 'With marks' });
  await expect(answer.getByText('Softer here, my friend')).toHaveCount(1);
  const given = answer.getByRole('list', { name: /^Marks in/ }).getByRole('listitem');
  await expect(given).toContainText([/^1\s*Play 0:03–0:05/, /^2\s*Play 0:\d\d/]);
  const pins = await pinsOn(answer);
  expect([pins.length, pins[0]]).toEqual([2, { number: '1', left: '15%', width: '12.5%' }]);
  await answer.getByRole('button', { name: /Play 0:03–0:05/ }).click();
  await expect.poll(() => answer.locator('audio').first().evaluate(isPlaying)).toBe(true);
  await expect.poll(() => answer.locator('audio').first().evaluate(isPlaying)).toBe(false);
  const stoppedAt = await answer
    .locator('audio')
    .first()
    .evaluate((audio: HTMLAudioElement) => audio.currentTime);
  expect(stoppedAt).toBeGreaterThan(5.4);
  // How far beyond the end is the bench's to measure; the recording goes on to its twentieth second.
  expect(stoppedAt).toBeLessThan(10);
  // The melody has no timed lines, and the recording's own second says nothing of it.
  await expect(answer.getByRole('link', { name: /player/ })).toHaveCount(0);
  const [feedback] = (await (await world.as(student)).get('/api/feedback')).body as { recordingId: number }[];
  await expect(answer.getByRole('link', { name: 'Practice Again' })).toHaveAttribute(
    'href',
    `/submit?melody=${melodyId}&after-recording=${feedback!.recordingId}`,
  );
});

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

/** Where marks are drawn over the waveform: for the eye alone, so that no name finds them. */
const pinsOn = (card: Locator) =>
  card.locator('[aria-hidden] > span:has(> button)').evaluateAll((pins) =>
    pins.map((pin) => {
      const [stretch, button] = pin.children as unknown as [HTMLElement, HTMLElement];
      return { number: button.textContent, left: stretch.style.left, width: stretch.style.width };
    }),
  );

const playedSeconds = (card: Locator) =>
  card
    .locator('audio')
    .first()
    .evaluate((audio: HTMLAudioElement) => audio.currentTime);
