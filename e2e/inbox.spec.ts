import type { Locator, Page } from '@playwright/test';
import { tone } from '../src/testing/tone.ts';
import { expectAccessible, expectNoSidewaysScroll } from './axe.ts';
import { addMelody, answerAll, isPlaying, submit } from './desk.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';

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
  await page.keyboard.press('j');
  await expect(page.getByRole('heading', { name: 'Song 1', exact: true })).toBeFocused();
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
  await expect.poll(rates).toHaveLength(2);
  expect((await rates()).flat()).toEqual([0.75, true, 0.75, true]);
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
  await expect(card).toBeVisible();
  await page.keyboard.press('j');
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
  expect(stoppedAt).toBeLessThan(6.5);
  // The melody has no timed lines, and the recording's own second says nothing of it.
  await expect(answer.getByRole('link', { name: /player/ })).toHaveCount(0);
  const [feedback] = (await (await world.as(student)).get('/api/feedback')).body as { id: number }[];
  await expect(answer.getByRole('link', { name: 'Practice Again' })).toHaveAttribute(
    'href',
    `/submit?melody=${melodyId}&after=${feedback!.id}`,
  );
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
  expect(await recording.evaluate(isPlaying)).toBe(false);
  await card.getByRole('button', { name: 'Its words' }).press('Enter');
  await expect(card.getByRole('region', { name: `Words of ${TIBETAN}` })).toContainText(/namo buddha/i);
  await expectAccessible(page, 'a card with its melody');
  // The keys of the card are the recording's.
  await page.keyboard.press('Alt+p');
  await expect.poll(() => recording.evaluate(isPlaying)).toBe(true);
  expect(await player.locator('audio').evaluate(isPlaying)).toBe(false);
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

test('without a line a draft stays on the device', async ({ signedIn, world }) => {
  await submit(world, await world.student(), { title: 'Begun' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  await page.route('**/draft', (route) => route.abort());
  await page.getByLabel('Written feedback').fill('On a hill without a line');
  await expect(page.getByText('Draft kept on this device')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Written feedback')).toHaveValue('On a hill without a line');
});

test('a spoken reply survives a tab that is closed in the middle, and is sent', async ({
  signedIn,
  world,
}) => {
  const id = await submit(world, await world.student(), { title: 'Spoken to' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Spoken to' })).toBeVisible();
  await page.keyboard.press('j');
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
  expect(await again.evaluate(namesOfTakes)).toEqual([]);
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
    await expect.poll(() => page.evaluate(namesOfTakes)).toHaveLength(1);
    // Another one takes its place on the device, too.
    await choose('second.wav', 4);
    await expect(page.getByRole('group', { name: 'second.wav' })).toContainText('/ 0:04');
    await expect.poll(() => page.evaluate(namesOfTakes)).toEqual(['second.wav']);

    const again = await leave(page);
    await expect(again.getByText('You chose this file before, and it was not sent.')).toBeVisible();
    await expect(again.getByRole('group', { name: 'second.wav' })).toContainText('/ 0:04');
    await expect(again.locator('input[type=file]')).not.toBeFocused();
    await again.getByRole('button', { name: 'Send Feedback' }).click();
    await expect(again.getByText('All Caught Up')).toBeVisible();
    const { body } = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
    expect(body.audioFeedbackDuration).toBe(4);
    await expect.poll(() => again.evaluate(namesOfTakes)).toEqual([]);
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
  await expect.poll(() => page.evaluate(namesOfTakes)).toHaveLength(1);
  await page.getByRole('button', { name: 'Remove the audio' }).click();
  await expect.poll(() => page.evaluate(namesOfTakes)).toEqual([]);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Upload' })).toBeVisible();
  await expect(page.getByText(/You chose this file before/)).toHaveCount(0);
});

test('a spoken reply goes on where the line broke, and sending can be stopped', async ({
  signedIn,
  world,
}) => {
  const id = await submit(world, await world.student(), { title: 'On a poor line' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const card = page.getByRole('article');
  await card.getByRole('button', { name: 'Upload' }).click();
  await card
    .locator('input[type=file]')
    .setInputFiles({ name: 'reply.wav', mimeType: 'audio/wav', buffer: tone(30, 220, 16_000) });
  let pieces = 0;
  await page.route('**/api/uploads/*start=*', (route) =>
    (pieces += 1) > 1 ? route.abort() : route.continue(),
  );
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(card.getByRole('alert')).toContainText('Failed to send feedback. Please try again.');
  await expect(card.getByText('reply.wav').first()).toBeVisible();

  await page.unroute('**/api/uploads/*start=*');
  const held = Promise.withResolvers<void>();
  await page.route('**/api/uploads/*start=*', async (route) => {
    await held.promise;
    await route.continue().catch(() => undefined);
  });
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await card.getByRole('button', { name: 'Stop sending' }).click();
  await expect(card.getByText(/Sending was stopped/)).toBeVisible();
  held.resolve();
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

test('what another teacher has answered meanwhile is shown beside what was typed', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const id = await submit(world, student, { title: 'Answered by two' });
  await submit(world, student, { title: 'The next one' });
  const page = await signedIn(TEACHER);
  // Nobody tells this page.
  await page.route('**/api/events', (route) => route.abort());
  await page.goto('/admin');
  const card = page.getByRole('article').filter({ hasText: 'Answered by two' });
  await card.getByLabel('Written feedback').fill('My own words');
  await world.teacher.form('/api/feedback', { recordingId: id, writtenFeedback: 'The other’s words' });
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(card.getByText('This recording has been answered already.').first()).toBeVisible();
  await expect(card.getByRole('region', { name: 'What was answered' })).toContainText('The other’s words');
  await expect(card.getByRole('region', { name: 'Your reply' })).toContainText('My own words');
  await expect(card.getByRole('button', { name: 'Send Feedback' })).toHaveCount(0);
  await expectAccessible(page, 'a card that was answered elsewhere');

  await test.step('also after a reload', async () => {
    await page.reload();
    await expect(card.getByRole('region', { name: 'What was answered' })).toContainText('The other’s words');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await card.getByRole('button', { name: 'Copy my text' }).click();
    await expect(card.getByText('Copied')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('My own words');
  });
  await card.getByRole('button', { name: 'Put it away' }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'The next one' })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('article')).toHaveCount(1);
});

test('two teachers who answer at once make one feedback, and the second sees both answers', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const id = await submit(world, student, { title: 'Answered at once' });
  const second = await world.student({ firstName: 'Ani', lastName: 'Pema' });
  await world.sql(`update users set role = 'admin' where id = $1`, [second.id]);
  const desks = await Promise.all(
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
  for (const { page } of desks) {
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
  await Promise.all(desks.map(({ card }) => card.getByRole('button', { name: 'Send Feedback' }).click()));
  await expect.poll(() => answers.toSorted()).toEqual([201, 409]);

  const given = (await (await world.as(student)).get('/api/feedback')).body as { writtenFeedback: string }[];
  expect(given).toHaveLength(1);
  const [won, lost] = given[0]!.writtenFeedback === desks[0]!.words ? desks : desks.toReversed();
  expect(given[0]!.writtenFeedback).toBe(won!.words);
  await expect(won!.card).toHaveCount(0);
  await expect(lost!.card.getByRole('region', { name: 'What was answered' })).toContainText(won!.words);
  await expect(lost!.card.getByRole('region', { name: 'Your reply' })).toContainText(lost!.words);
  // What the other teacher has sent takes nothing of this one's draft.
  await lost!.page.reload();
  await expect(lost!.card.getByRole('region', { name: 'Your reply' })).toContainText(lost!.words);
  await lost!.card.getByRole('button', { name: 'Put it away' }).click();
  await expect(lost!.card).toHaveCount(0);
  await world.sql(`update users set role = 'student' where id = $1`, [second.id]);
  const after = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
  expect(after.body.writtenFeedback).toBe(won!.words);
});

test('a recording that is withdrawn while one writes stays with what was typed', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const id = await submit(world, student, { title: 'Taken back' });
  const other = await submit(world, student, { title: 'Untouched' });
  const page = await signedIn(TEACHER);
  const listening = page.waitForResponse('**/api/events');
  await page.goto('/admin');
  const card = page.getByRole('article').filter({ hasText: 'Taken back' });
  await card.getByLabel('Written feedback').fill('Words of mine');
  await expect(page.getByText('Draft saved')).toBeVisible();
  await listening;
  const client = await world.as(student);
  expect((await client.delete(`/api/recordings/${other}`)).status).toBe(200);
  await expect(page.getByRole('article').filter({ hasText: 'Untouched' })).toHaveCount(0);
  expect((await client.delete(`/api/recordings/${id}`)).status).toBe(200);
  await expect(card.getByText('This recording is no longer here.')).toBeVisible();
  await expect(card.getByRole('region', { name: 'Your reply' })).toContainText('Words of mine');

  await test.step('also after a reload, and for nobody else on this device', async () => {
    await page.reload();
    await expect(card.getByText('This recording is no longer here.')).toBeVisible();
    await expect(card.getByRole('region', { name: 'Your reply' })).toContainText('Words of mine');
    await expectAccessible(page, 'a card that was withdrawn');

    const other = await world.student({ firstName: 'Ani', lastName: 'Pema' });
    await world.sql(`update users set role = 'admin' where id = $1`, [other.id]);
    await page.request.post('/api/login', { data: { username: other.username, password: other.password } });
    await page.reload();
    await expect(page.getByText('All Caught Up')).toBeVisible();
    await page.request.post('/api/login', { data: TEACHER });
    await page.reload();
    await expect(card.getByRole('region', { name: 'Your reply' })).toContainText('Words of mine');
    await world.sql(`update users set role = 'student' where id = $1`, [other.id]);
  });
  await card.getByRole('button', { name: 'Put it away' }).click();
  await expect(page.getByText('All Caught Up')).toBeVisible();
  await page.reload();
  await expect(page.getByText('All Caught Up')).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('Words of mine');
});

test('words to a recording that was withdrawn while nobody looked are there when one comes back', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const begun = await submit(world, student, { title: 'Begun and withdrawn' });
  const answered = await submit(world, student, { title: 'Begun and answered' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const card = (title: string) => page.getByRole('article').filter({ hasText: title });
  for (const title of ['Begun and withdrawn', 'Begun and answered']) {
    await card(title).getByLabel('Written feedback').fill(`To ${title}`);
    await expect(card(title).getByText('Draft saved')).toBeVisible();
  }
  await page.goto('/melodies');
  await (await world.as(student)).delete(`/api/recordings/${begun}`);
  // From the phone, by the same teacher: nothing is left of that draft.
  await world.teacher.form('/api/feedback', { recordingId: answered, writtenFeedback: 'Sent elsewhere' });
  await page.goto('/admin');
  const left = card('Begun and withdrawn').getByRole('region', { name: 'Your reply' });
  await expect(left).toContainText('To Begun and withdrawn');
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('button', { name: 'Put it away' }).click();
  await expect(page.getByText('All Caught Up')).toBeVisible();
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

test('what two browsers typed at once without a line is shown, and nothing of it lost', async ({
  signedIn,
  world,
}) => {
  const id = await submit(world, await world.student(), { title: 'Typed twice' });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const card = page.getByRole('article').filter({ hasText: 'Typed twice' });
  const text = card.getByLabel('Written feedback');
  await expect(text).toBeVisible();
  await page.context().setOffline(true);
  await text.fill('From here');
  await page.goto('about:blank');
  await page.context().setOffline(false);
  await world.teacher.put(`/api/admin/recordings/${id}/draft`, { text: 'From there', marks: [] });
  await page.goto('/admin');
  await expect(text).toHaveValue('From there');
  const besides = card.getByRole('status').filter({ hasText: 'and on this device too' });
  await expect(besides).toContainText('From here');
  await expectAccessible(page, 'a draft beside another');
  await besides.getByRole('button', { name: 'Use this one' }).click();
  await expect(text).toHaveValue('From here');
  await expect(besides).toContainText('From there');
  await besides.getByRole('button', { name: 'Put it away' }).click();
  await expect(besides).toHaveCount(0);
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
    await expect.poll(() => page.evaluate(namesOfTakes)).toHaveLength(1);
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
    await expect.poll(() => page.evaluate(namesOfTakes)).toEqual([]);
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

const correctedAt = async (world: World, recordingId: number) =>
  (await world.teacher.get(`/api/admin/recordings/${recordingId}/feedback`)).body.correctedAt as
    string | null;

const playedSeconds = (card: Locator) =>
  card
    .locator('audio')
    .first()
    .evaluate((audio: HTMLAudioElement) => audio.currentTime);

/** The names of the recordings and files that the device keeps. */
async function namesOfTakes() {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('takes');
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error!);
  });
  return await new Promise<string[]>((resolve) => {
    const asking = db.transaction('takes').objectStore('takes').getAll();
    asking.onsuccess = () => resolve((asking.result as { name: string }[]).map(({ name }) => name));
  });
}
