import type { Locator } from '@playwright/test';
import { addMelodyWithVideo, clearInbox, focusFirstCard, isPlaying, submitRecording } from './inbox.ts';
import { TEACHER_CREDENTIALS, expect, test } from './fixtures.ts';

test.use({ sharesWorld: true });

test.beforeEach(({ world }) => clearInbox(world));

test('of two simultaneous replies, the first is sent and the second stays a draft', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const id = await submitRecording(world, student, { title: 'Answered at once' });
  const second = await world.student({ firstName: 'Ani', lastName: 'Pema' });
  await world.sql(`update users set role = 'admin' where id = $1`, [second.id]);
  const cards = await Promise.all(
    [TEACHER_CREDENTIALS, second].map(async (teacher) => {
      const page = await signedIn(teacher);
      // Blocks the event stream, so that neither page is notified of the other's reply.
      await page.route('**/api/events', (route) => route.abort());
      await page.goto('/admin');
      const card = page.getByRole('article').filter({ hasText: 'Answered at once' });
      const words = `The words of ${teacher.username}`;
      await card.getByLabel('Written feedback').fill(words);
      return { page, card, words };
    }),
  );
  // Holds both calls until both have been sent.
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
  // The reply that arrived first is delivered after the undo window.
  await expect.poll(async () => (await given()).length).toBe(1);
  const words = (await given())[0]!.writtenFeedback;
  const [won, lost] = words === cards[0]!.words ? cards : cards.toReversed();
  expect(words).toBe(won!.words);
  await expect(won!.card).toHaveCount(0);
  // The reply that was sent leaves the other teacher's draft intact.
  await lost!.page.reload();
  await expect(lost!.card.getByRole('region', { name: 'Feedback that was sent' })).toContainText(won!.words);
  await expect(lost!.card.getByRole('region', { name: 'Your unsent feedback' })).toContainText(lost!.words);
  await lost!.card.getByRole('button', { name: 'Discard' }).click();
  await expect(lost!.card).toHaveCount(0);
  await world.sql(`update users set role = 'student' where id = $1`, [second.id]);
  const after = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
  expect(after.body.writtenFeedback).toBe(won!.words);
});

test('the student can play the passages of marks that were made during playback', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const melodyId = await addMelodyWithVideo(world);
  await submitRecording(world, student, { title: 'With marks', melodyId, seconds: 20 });
  const page = await signedIn(TEACHER_CREDENTIALS);
  await page.goto('/admin');
  const card = page.getByRole('article').filter({ hasText: 'With marks' });
  await focusFirstCard(page, 'With marks');
  await page.keyboard.press('Space');
  await expect.poll(() => playedSeconds(card)).toBeGreaterThan(0.2);
  await page.keyboard.press('m');
  await page.keyboard.type('Softer here, my friend');
  await expect.poll(() => playedSeconds(card)).toBeGreaterThan(2);
  await page.keyboard.press('Alt+m');
  await page.keyboard.press('Enter');
  expect(await card.locator('audio').first().evaluate(isPlaying)).toBe(true);
  const marks = card.getByRole('list', { name: 'Comments', exact: true }).getByRole('listitem');
  await expect(marks).toHaveCount(1);
  await page.keyboard.press('m');
  await expect(marks).toHaveCount(2);
  await page.keyboard.type('Beautiful');
  await page.keyboard.press('Enter');
  await expect(card).toContainText(/The student will see:\s*0:\d\d–0:\d\d – Softer here, my friend/);
  await expect.poll(() => pinsOn(card)).toHaveLength(2);

  await test.step('the teacher moves a mark, and sees an error for an invalid time', async () => {
    await card.getByRole('button', { name: 'Change the times of comment 1' }).click();
    await card.getByLabel('To', { exact: true }).fill('0:00');
    await card.getByRole('button', { name: 'Set times' }).click();
    await expect(card.getByRole('alert')).toHaveText('The end must be after the start.');
    await card.getByLabel('From', { exact: true }).fill('0:00.5');
    await card.getByLabel('To', { exact: true }).fill('0:02');
    await card.getByRole('button', { name: 'Set times' }).click();
    await expect(marks.first()).toContainText(/^1\s*0:00–0:02/);
    await expect(marks.last()).toContainText(/^2\s*0:\d\d/);
    // The mark is from 0.5 s to 2 s in a recording of 20 s.
    expect((await pinsOn(card))[0]).toEqual({ number: '1', left: '2.5%', width: '7.5%' });
  });
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('All Caught Up')).toBeVisible();

  const browser = await signedIn(student);
  await browser.goto('/feedback');
  const answer = browser.getByRole('article').filter({ hasText: 'With marks' });
  await expect(answer.getByText('Softer here, my friend')).toHaveCount(1);
  const given = answer.getByRole('list', { name: /^Comments on/ }).getByRole('listitem');
  await expect(given).toContainText([/^1\s*Play 0:00–0:02/, /^2\s*Play 0:\d\d/]);
  const pins = await pinsOn(answer);
  expect([pins.length, pins[0]]).toEqual([2, { number: '1', left: '2.5%', width: '7.5%' }]);
  await answer.getByRole('button', { name: /Play 0:00–0:02/ }).click();
  await expect.poll(() => answer.locator('audio').first().evaluate(isPlaying)).toBe(true);
  await expect.poll(() => answer.locator('audio').first().evaluate(isPlaying)).toBe(false);
  const stoppedAt = await answer
    .locator('audio')
    .first()
    .evaluate((audio: HTMLAudioElement) => audio.currentTime);
  expect(stoppedAt).toBeGreaterThan(1.9);
  // A wide limit, because the benchmark measures how far playback passes the end. The recording lasts 20 s.
  expect(stoppedAt).toBeLessThan(8);
  // The melody has no timed lines, so marks can't be mapped to its lines.
  await expect(answer.getByRole('link', { name: 'Practise this line' })).toHaveCount(0);
  const [feedback] = (await (await world.as(student)).get('/api/feedback')).body as { recordingId: number }[];
  await expect(answer.getByRole('link', { name: 'Practice Again' })).toHaveAttribute(
    'href',
    `/submit?melody=${melodyId}&after-recording=${feedback!.recordingId}`,
  );
});

/** Returns the marks drawn over the waveform. They are hidden from assistive technology, so they have no name. */
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
