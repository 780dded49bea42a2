import type { Locator, Page } from '@playwright/test';
import { tone } from '../src/testing/tone.ts';
import { expectAccessible, expectNoSidewaysScroll } from './axe.ts';
import { addMelody, answerAll, focusFirstCard, isPlaying, submit } from './inbox.ts';
import { TEACHER, expect, test } from './fixtures.ts';

const LONG_NAME = 'Lhündrup-Wangchuk-Tenzin-Gyaltsen-Rinchen-Dorje-Palden-Sang';
const TIBETAN = 'སྐྱབས་འགྲོ་སེམས་བསྐྱེད།';

/** Where marks are drawn over the waveform: for the eye alone, so that no name finds them. */
const pinsOn = (card: Locator) =>
  card.locator('[aria-hidden] > span:has(> button)').evaluateAll((pins) =>
    pins.map((pin) => {
      const [stretch, button] = pin.children as unknown as [HTMLElement, HTMLElement];
      return { number: button.textContent, left: stretch.style.left, width: stretch.style.width };
    }),
  );

test.beforeEach(({ world }) => answerAll(world));

test('ten recordings are answered by keyboard alone', async ({ signedIn, world }) => {
  const student = await world.student();
  const ids: number[] = [];
  for (let i = 1; i <= 10; i += 1) ids.push(await submit(world, student, { title: `Song ${i}` }));
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  await expect(page.getByRole('article')).toHaveCount(10);
  await focusFirstCard(page, 'Song 1');
  await page.keyboard.press('j');
  await expect(page.getByRole('heading', { name: 'Song 2', exact: true })).toBeFocused();
  await page.keyboard.press('k');
  await expect(page.getByText('Sending leads on to Tashi Dolma.')).toHaveCount(10);
  for (let i = 1; i <= 10; i += 1) {
    await expect(page.getByRole('heading', { name: `Song ${i}`, exact: true })).toBeFocused();
    // There is nowhere to lead on to from the last one.
    if (i === 10) await expect(page.getByText(/^Sending leads on/)).toHaveCount(0);
    await page.keyboard.press('w');
    await page.keyboard.type(`Just keep more jumps: ${i}`);
    await page.keyboard.press('Control+Enter');
  }
  await expect(page.getByText('All Caught Up')).toBeVisible();
  for (const [index, id] of ids.entries()) {
    const { body } = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
    expect(body.writtenFeedback).toBe(`Just keep more jumps: ${index + 1}`);
  }
});

test('a card says who sang what for how long and since when, the list leads to it, and nothing is sent empty', async ({
  signedIn,
  world,
}) => {
  const pema = await world.student({ firstName: 'Pema', lastName: 'Lhamo' });
  const karma = await world.student({ firstName: 'Karma', lastName: 'Dorje' });
  await submit(world, pema, { title: 'The first song', seconds: 3 });
  await submit(world, karma, { title: 'The other song', seconds: 65, message: 'Is it too slow?' });
  const page = await signedIn(TEACHER, { viewport: { width: 1440, height: 900 } });
  await page.goto('/admin');
  const card = page.getByRole('article', { name: 'The other song' });
  await expect(card.getByText('New', { exact: true })).toBeVisible();
  await expect(card.getByText('Karma Dorje', { exact: true })).toBeVisible();
  await expect(card.getByText('Is it too slow?')).toBeVisible();
  await expect(card.getByText(/just now|seconds ago/).first()).toBeVisible();
  await expect(card.getByText('· 1:05', { exact: true })).toBeVisible();
  await expect(card.getByText('1 minute 5 seconds', { exact: true })).toBeAttached();

  const list = page.getByRole('navigation', { name: 'Waiting recordings' });
  await expect(list.getByRole('link')).toHaveText([
    /Pema Lhamo.*The first song0:03$/,
    /Karma Dorje.*The other song1:05$/,
  ]);
  await list.getByRole('link', { name: /The other song/ }).click();
  await expect(card.getByRole('heading', { name: 'The other song' })).toBeFocused();
  await expect(list.getByRole('link', { name: /The other song/ })).toHaveAttribute('aria-current', 'true');

  const sentence = 'Please provide either written feedback or audio feedback.';
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(page.getByRole('region').getByText('Missing Feedback', { exact: true })).toBeVisible();
  await expect(card.getByLabel('Written feedback')).toBeFocused();
  await expect(card.getByLabel('Written feedback')).toHaveAccessibleDescription(sentence);
  await card.getByLabel('Written feedback').fill('Slower still.');
  await expect(card.getByText(sentence)).toHaveCount(0);

  await test.step('nor with a reply that is set aside', async () => {
    await card.getByRole('button', { name: 'Record audio response' }).click();
    await expect(card.getByText(/^Recording · /)).toBeVisible();
    await page.waitForTimeout(1_000);
    await card.getByRole('button', { name: 'Send Feedback' }).click();
    await expect(card.getByText('Stop the recording first, then send your feedback.')).toBeVisible();
    await card.getByRole('button', { name: 'Stop recording' }).click();
    await card.getByRole('button', { name: 'Record Again' }).click();
    await card.getByRole('button', { name: 'Send Feedback' }).click();
    await expect(card.getByText(/^Your recording is set aside for a new one\./)).toBeVisible();
    await expect(card.getByText('Stop the recording first, then send your feedback.')).toHaveCount(0);
    await expectAccessible(page, 'a reply that is set aside');
    await card.getByRole('button', { name: 'Keep the recording I have' }).click();
    await card.getByRole('button', { name: 'Send Feedback' }).click();
    await expect(card).toHaveCount(0);
  });
});

test('Esc leaves the box for its card, where single keys count again', async ({ signedIn, world }) => {
  const student = await world.student();
  for (const title of ['First one', 'Second one']) await submit(world, student, { title });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const card = page.getByRole('article', { name: 'First one' });
  const text = card.getByLabel('Written feedback');
  await text.fill('Half a thou');
  await text.press('Escape');
  await expect(card).toBeFocused();
  await expect(text).toHaveValue('Half a thou');
  await page.keyboard.press('w');
  await page.keyboard.type('ght');
  await expect(text).toHaveValue('Half a thought');

  await test.step('not while a word is composed, nor out of a dialog', async () => {
    await text.dispatchEvent('keydown', { key: 'Escape', isComposing: true });
    await expect(text).toBeFocused();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toContainText('Leave the box for its card');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(card).toBeFocused();
  });
  await page.keyboard.press('j');
  await expect(page.getByRole('heading', { name: 'Second one' })).toBeFocused();
});

test('the list of keys can be seen, and single keys be turned off', async ({ signedIn, world }) => {
  await submit(world, await world.student(), { title: 'Only one' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const heading = page.getByRole('heading', { name: 'Only one' });
  await expect(heading).toBeVisible();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog).toContainText('Mark this moment');
  await expectAccessible(page, 'the list of keys');
  await dialog.getByLabel('Single keys work').uncheck();
  await page.keyboard.press('Escape');
  await page.reload();
  await expect(heading).toBeVisible();
  await page.keyboard.press('j');
  await expect(heading).not.toBeFocused();
  await page.keyboard.press('Alt+j');
  await expect(heading).toBeFocused();
});

test('who listens slower does so for all recordings, also after a reload', async ({ signedIn, world }) => {
  const student = await world.student();
  for (const title of ['Slow one', 'Slow two']) await submit(world, student, { title });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const rates = () =>
    page
      .locator('audio')
      .evaluateAll((all: HTMLAudioElement[]) =>
        all.map((audio) => [audio.playbackRate, audio.preservesPitch]),
      );
  for (const speed of [0.5, 2]) {
    await page.getByLabel('Speed of Slow one').selectOption(String(speed));
    await expect.poll(async () => (await rates()).flat()).toEqual([speed, true, speed, true]);
  }
  await page.getByLabel('Speed of Slow one').selectOption('0.75×');
  await expect.poll(rates).toEqual([
    [0.75, true],
    [0.75, true],
  ]);
  await page.reload();
  await expect(page.getByLabel('Speed of Slow two')).toHaveValue('0.75');
  await expect.poll(rates).toEqual([
    [0.75, true],
    [0.75, true],
  ]);
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

test('a mark without words alone is not sent; it stays in the draft, and with words it is an answer', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  await submit(world, student, { title: 'Only a moment' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const card = page.getByRole('article').filter({ hasText: 'Only a moment' });
  await card.getByRole('button', { name: /^Mark this moment/ }).click();
  await expect(card.getByText('These marks have no words yet.')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(card.getByText('Please provide either written feedback or audio feedback.')).toBeVisible();
  await expect(card.getByText('Draft saved')).toBeVisible();
  expect((await world.teacher.get('/api/recordings/pending')).body).toHaveLength(1);

  await page.reload();
  await expect(card.getByLabel('Words for the mark at 0:00')).toHaveValue('');
  await card.getByLabel('Words for the mark at 0:00').fill('Softer here');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('All Caught Up')).toBeVisible();
  expect((await (await world.as(student)).get('/api/feedback')).body).toMatchObject([
    { writtenFeedback: '0:00 – Softer here' },
  ]);
});

test('the melody is heard and read beside the recording, and nothing of it is fetched before', async ({
  signedIn,
  world,
}) => {
  const melodyId = await addMelody(world, { title: TIBETAN, text: 'Namo Guru\nNamo Buddha', starts: [0, 5] });
  await submit(world, await world.student(), { title: 'Sung after it', melodyId, seconds: 20 });
  const page = await signedIn(TEACHER);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('/admin');
  const card = page.getByRole('article');
  const melody = card.getByRole('button', { name: `Melody: ${TIBETAN}` });
  await expect(melody).toHaveAttribute('aria-expanded', 'false');
  await page.waitForLoadState('networkidle');
  const ofMelody = () => asked.filter((path) => /^\/api\/(melodies\/\d+|files\/)/.test(path));
  expect(ofMelody()).toEqual([]);

  await card.getByRole('button', { name: `Play Sung after it, Tashi Dolma` }).click();
  await melody.focus();
  await page.keyboard.press('Enter');
  const player = card.getByRole('group', { name: `The melody: ${TIBETAN}` });
  await expect(player).toContainText('/ 0:20');
  const recording = card.getByRole('group', { name: /^Sung after it/ }).locator('audio');
  await expect.poll(() => recording.evaluate(isPlaying)).toBe(true);
  await player.getByRole('button', { name: /^Play/ }).press('Enter');
  await expect.poll(() => player.locator('audio').evaluate(isPlaying)).toBe(true);
  await expect.poll(() => recording.evaluate(isPlaying)).toBe(false);
  await card.getByRole('button', { name: 'Its words' }).press('Enter');
  await expect(card.getByRole('region', { name: `Words of ${TIBETAN}` })).toContainText(/namo buddha/i);
  await expectAccessible(page, 'a card with its melody');
  // The keys of the card are the recording's.
  await page.keyboard.press('Alt+p');
  await expect.poll(() => recording.evaluate(isPlaying)).toBe(true);
  await expect.poll(() => player.locator('audio').evaluate(isPlaying)).toBe(false);
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

test('a student takes back what was not answered, and is told when it was', async ({ signedIn, world }) => {
  const student = await world.student();
  await submit(world, student, { title: 'Not this one' });
  const answered = await submit(world, student, { title: 'Answered meanwhile' });
  const page = await signedIn(student);
  await page.route('**/api/events', (route) => route.abort());
  await page.goto('/past-recordings');
  const withdraw = async (title: string) => {
    await page.getByRole('button', { name: `Withdraw ${title}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  };
  await withdraw('Not this one');
  await expect(page.getByText('Recording withdrawn').first()).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(1);
  await world.teacher.form('/api/feedback', { recordingId: answered, writtenFeedback: 'Here it is.' });
  await withdraw('Answered meanwhile');
  await expect(page.getByText('It has been answered meanwhile').first()).toBeVisible();
  await expect(page.getByRole('article')).toContainText('Reviewed');
  await expect(page.getByRole('button', { name: /Withdraw/ })).toHaveCount(0);
});

test('inbox, feedback and past feedback can be used by everyone, full of long and Tibetan words', async ({
  signedIn,
  world,
}) => {
  // Sixteen screens, and sounds that are waited for.
  test.slow();
  const student = await world.student({ firstName: LONG_NAME, lastName: 'Dolma' });
  const melodyId = await addMelody(world, {
    title: TIBETAN,
    text: [TIBETAN, LONG_NAME, `${LONG_NAME} ${TIBETAN} `.repeat(4)].join('\n'),
    starts: [0, 1, 1.5],
  });
  const words = `${LONG_NAME} ${TIBETAN} `.repeat(6);
  for (const title of [TIBETAN, TIBETAN]) {
    const id = await submit(world, student, { title, melodyId, message: words });
    await world.teacher.form('/api/feedback', {
      recordingId: id,
      writtenFeedback: words,
      marks: JSON.stringify([
        { start: 0, end: null, text: words.slice(0, 400), melodyAt: 0 },
        { start: 0.2, end: 1.5, text: TIBETAN, melodyAt: 1.5 },
      ]),
      audioFeedback: { bytes: tone(2), name: 'reply.wav' },
    });
  }
  const pending = await submit(world, student, { title: LONG_NAME.repeat(3), melodyId, message: words });
  await world.teacher.put(`/api/admin/recordings/${pending}/draft`, {
    text: '',
    marks: [
      { start: 0, end: 1, text: words.slice(0, 300) },
      { start: 1, end: null, text: TIBETAN },
    ],
  });
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [320, 1440]) {
      const what = `${colorScheme} ${width}`;
      const options = { colorScheme, viewport: { width, height: 800 } };
      const page = await signedIn(TEACHER, options);
      await page.goto('/admin');
      await page.getByRole('button', { name: 'The 2 attempts before' }).click();
      await expect(page.getByRole('heading', { name: 'First attempt' })).toBeVisible();
      await page.getByRole('button', { name: 'Adjust the times of mark 1' }).click();
      await expectGood(page, `inbox ${what}`);
      await page.goto('/past-feedback?q=dolma');
      await page
        .getByRole('button', { name: /^Correct/ })
        .first()
        .click();
      await expectGood(page, `past feedback ${what}`);
      const browser = await signedIn(student, options);
      await browser.goto('/feedback');
      await browser.getByRole('button', { name: 'Your attempts' }).first().click();
      await expect(browser.getByRole('button', { name: 'Play all attempts' })).toBeVisible();
      await browser
        .getByRole('button', { name: /Play 0:00–0:01/ })
        .first()
        .click();
      await expect(browser.getByRole('link', { name: 'Open the player at this line' })).toBeVisible();
      await expect(browser.locator('li').getByText('The melody:')).toBeVisible();
      await expectGood(browser, `feedback ${what}`);
      await browser.getByRole('link', { name: 'Practice Again' }).first().click();
      await browser
        .getByRole('button', { name: /Play 0:00–0:01/ })
        .first()
        .click();
      await expect(browser.locator('li').getByText('The melody:')).toBeVisible();
      await expectGood(browser, `singing again ${what}`);
      await browser.goto('/past-recordings');
      await expect(browser.getByRole('article')).toHaveCount(3);
      await expectGood(browser, `past recordings ${what}`);
    }
});

async function expectGood(page: Page, what: string) {
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  await page.waitForLoadState('networkidle');
  await expectAccessible(page, what);
  await expectNoSidewaysScroll(page, what);
}

const playedSeconds = (card: Locator) =>
  card
    .locator('audio')
    .first()
    .evaluate((audio: HTMLAudioElement) => audio.currentTime);
