import type { Locator } from '@playwright/test';
import { tone } from '../src/testing/tone.ts';
import { addMelody, answerAll, focusFirstCard, isPlaying, submit } from './inbox.ts';
import { TEACHER, expect, test } from './fixtures.ts';

/** Where marks are drawn over the waveform: for the eye alone, so that no name finds them. */
const pinsOn = (card: Locator) =>
  card.locator('[aria-hidden] > span:has(> button)').evaluateAll((pins) =>
    pins.map((pin) => {
      const [stretch, button] = pin.children as unknown as [HTMLElement, HTMLElement];
      return { number: button.textContent, left: stretch.style.left, width: stretch.style.width };
    }),
  );

test.beforeEach(({ world }) => answerAll(world));

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
  await expect(card).toContainText(/the student reads:\s*0:0\d–0:0\d – Softer here, my friend/);
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
    await expect(marks.last()).toContainText(/^2\s*0:0/);
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
  await expect(given).toContainText([/^1\s*Play 0:03–0:05/, /^2\s*Play 0:0/]);
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

test('attempts at a melody are heard one after the other, by both', async ({ signedIn, world }) => {
  const student = await world.student();
  const melodyId = await addMelody(world);
  const first = await submit(world, student, { title: 'Refuge', melodyId, seconds: 2 });
  await world.teacher.form('/api/feedback', {
    recordingId: first,
    writtenFeedback: 'Begin lower.',
    audioFeedback: { bytes: tone(2), name: 'reply.wav' },
  });
  const second = await submit(world, student, { title: 'Refuge', melodyId, seconds: 2 });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const card = page.getByRole('article');
  await expect(card).toContainText('Second attempt');
  await card.getByRole('button', { name: 'The attempt before' }).click();
  await expect(card).toContainText('Begin lower.');
  await card.getByLabel('Written feedback').fill('Now it is right.');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('All Caught Up')).toBeVisible();
  expect(second).toBeGreaterThan(first);

  const browser = await signedIn(student);
  await browser.goto('/feedback');
  const answer = browser.getByRole('article').filter({ hasText: 'Now it is right.' }).first();
  await answer.getByRole('button', { name: 'Your attempts' }).click();
  await expect(answer.getByRole('heading', { name: 'Second attempt' })).toBeVisible();
  // By the one name that it has on a student's pages.
  await expect(answer.getByRole('heading', { name: 'Audio response' })).toBeVisible();
  await expect(browser.getByText('Audio feedback')).toHaveCount(0);
  await answer.getByRole('button', { name: 'Play all attempts' }).click();
  const current = answer.locator('li[aria-current]');
  await expect(current).toContainText('First attempt');
  await expect(current).toContainText('Second attempt');
  await expect(answer.getByRole('button', { name: 'Play all attempts' })).toBeVisible();
});

const playedSeconds = (card: Locator) =>
  card
    .locator('audio')
    .first()
    .evaluate((audio: HTMLAudioElement) => audio.currentTime);
