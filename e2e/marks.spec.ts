import type { Locator, Page } from '@playwright/test';
import { addMelody, answerAll, focusFirstCard, submit, timeLines } from './inbox.ts';
import { TEACHER, expect, test, type Student, type World } from './fixtures.ts';

const LINES = ['Sangye chö dang', 'བྱང་ཆུབ་བར་དུ་', 'Dakgi jin sok', 'Drola pen chir'];
const TEXT = LINES.join('\n');
const STARTS = [2, 6, 10, 14];

test.beforeEach(({ world }) => answerAll(world));

const lineOf = (card: Page | Locator, place: string) =>
  card.getByLabel(`Line of the melody for the mark at ${place}`);
const chosen = (line: Locator) => line.locator('option:checked');

test('the teacher sees the line of each mark, chooses one, and those behind it follow', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const melodyId = await addMelody(world, { text: TEXT, starts: STARTS });
  await submit(world, student, { title: 'Marked quickly', melodyId });
  const id = await submit(world, student, { title: 'Sung later', melodyId, seconds: 20 });
  await world.teacher.put(`/api/admin/recordings/${id}/draft`, {
    text: '',
    marks: [1, 5, 9].map((start) => ({ start, end: null, text: `At ${start}` })),
  });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  const quick = page.getByRole('article').filter({ hasText: 'Marked quickly' });
  const card = page.getByRole('article').filter({ hasText: 'Sung later' });

  await test.step('a mark takes no more keys than before', async () => {
    await expect(quick).toBeVisible();
    await focusFirstCard(page, 'Marked quickly');
    const words = quick.getByLabel('Words for the mark at 0:00');
    await expect(async () => {
      if ((await words.count()) === 0) await page.keyboard.press('m');
      await expect(words).toBeFocused({ timeout: 2_000 });
    }).toPass();
    await page.keyboard.type('Begin lower');
    await page.keyboard.press('Enter');
    await expect(quick.getByRole('button', { name: 'Mark this moment' })).toBeFocused();
    await expect(chosen(lineOf(quick, '0:00'))).toHaveText('No line');
    await expect(lineOf(quick, '0:00')).toHaveAccessibleDescription('suggested');
  });
  const [first, second, third] = ['0:01', '0:05', '0:09'].map((place) => lineOf(card, place)) as [
    Locator,
    Locator,
    Locator,
  ];
  await expect(chosen(second)).toHaveText(`1. ${LINES[0]}`);
  await expect(chosen(third)).toHaveText(`2. ${LINES[1]}`);
  await expect(third).toHaveAttribute('lang', 'bo');

  await test.step('by keyboard', async () => {
    await card.getByLabel('Words for the mark at 0:01').focus();
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('Tab');
    await expect(first).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(chosen(first)).toHaveText(`2. ${LINES[1]}`);
    await expect(first).toHaveAccessibleDescription('');
    await expect(chosen(second)).toHaveText(`3. ${LINES[2]}`);
    await expect(chosen(third)).toHaveText(`4. ${LINES[3]}`);
  });
  await test.step('by pointer', async () => {
    await second.selectOption('No line');
    await expect(chosen(third)).toHaveText(`4. ${LINES[3]}`);
  });
  await expect(card.getByText('Draft saved')).toBeVisible();
  await page.reload();
  await expect(chosen(second)).toHaveText('No line');
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(card).toHaveCount(0);
  const given = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
  expect(given.body.marks).toMatchObject([
    { start: 1, melodyAt: 6 },
    { start: 5, melodyAt: null },
    { start: 9, melodyAt: 14 },
  ]);

  await test.step('and corrects it later', async () => {
    await page.goto('/past-feedback?q=later');
    await page
      .getByRole('button', { name: /^Correct/ })
      .first()
      .click();
    const form = page.getByRole('form');
    await expect(chosen(lineOf(form, '0:09'))).toHaveText(`4. ${LINES[3]}`);
    await lineOf(form, '0:05').selectOption(`1. ${LINES[0]}`);
    await form.getByRole('button', { name: 'Save the correction' }).click();
    await expect(form).toHaveCount(0);
    const corrected = await world.teacher.get(`/api/admin/recordings/${id}/feedback`);
    expect(corrected.body.marks[1]).toMatchObject({ melodyAt: 2 });
  });
});

test('without timed lines, or without a melody, nothing is said of lines', async ({ signedIn, world }) => {
  const student = await world.student();
  const melodyId = await addMelody(world, { text: TEXT, starts: [] });
  for (const title of ['Untimed', 'Of no melody'])
    await submit(world, student, { title, ...(title === 'Untimed' ? { melodyId } : {}) });
  const page = await signedIn(TEACHER);
  await page.goto('/admin');
  await expect(page.getByRole('article')).toHaveCount(2);
  for (const card of await page.getByRole('article').all())
    await card.getByRole('button', { name: 'Mark this moment' }).click();
  await expect(page.getByLabel('Words for the mark at 0:00')).toHaveCount(2);
  await page.waitForLoadState('networkidle');
  await expect(page.getByLabel(/Line of the melody/)).toHaveCount(0);
  const untimed = page.getByRole('article').filter({ hasText: 'Untimed' });
  await untimed.getByLabel('Words for the mark at 0:00').fill('Softer');
  await untimed.getByRole('button', { name: 'Send Feedback' }).click();
  await expect(page.getByRole('article')).toHaveCount(1);
});

/** Answered with a mark at 1–4 s that belongs to the second line, one of no line, and one that is older than lines. */
async function answered(world: World, student: Student, title: string, level = 'Open to All') {
  const melodyId = await addMelody(world, { text: TEXT, starts: [2, 6, 12, 16], level });
  const recordingId = await submit(world, student, { title, melodyId, seconds: 10 });
  const { status } = await world.teacher.form('/api/feedback', {
    recordingId,
    marks: JSON.stringify([
      { start: 1, end: 4, text: 'Softer', melodyAt: 6 },
      { start: 5, end: 7, text: 'Of no line', melodyAt: null },
      { start: 7, end: 9, text: 'Older' },
    ]),
  });
  expect(status).toBe(201);
  const { body } = await world.teacher.get(`/api/melodies/${melodyId}`);
  return { melodyId, song: `/api/files/${body.audioUrl as string}` };
}

/** From the next page on {@link sounding} knows what plays there, and requests are counted. */
async function listenIn(page: Page) {
  await page.addInitScript(() => {
    const played = new Set<HTMLMediaElement>();
    Object.assign(window, { played });
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      played.add(this);
      return play.call(this);
    };
  });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  return asked;
}

/** Where each sound of the page is that plays now: its file and its second. */
const sounding = (page: Page) =>
  page.evaluate(() =>
    [...(window as unknown as { played: Set<HTMLMediaElement> }).played]
      .filter(({ paused }) => !paused)
      .map(({ src, currentTime }) => ({ file: new URL(src).pathname, at: currentTime })),
  );

const places = (page: Page) =>
  page.evaluate(() =>
    [...(window as unknown as { played: Set<HTMLMediaElement> }).played].map(({ currentTime }) =>
      Math.round(currentTime),
    ),
  );

test('a student presses a mark and hears the passage, then the same line of the melody', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const { melodyId, song } = await answered(world, student, 'Passage and line');
  const page = await signedIn(student);
  const asked = await listenIn(page);
  await page.goto('/feedback');
  const card = page.getByRole('article');
  const mark = card.getByRole('listitem').filter({ hasText: 'Softer' });
  await expect(mark).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => path.startsWith('/api/files/') || path.includes('/melodies/'))).toEqual([]);

  await mark.getByRole('button', { name: /^Play 0:01–0:04/ }).click();
  await expect(mark.getByText('Your recording')).toBeVisible();
  await expect(card.getByRole('status').filter({ hasText: 'Your recording' })).toBeAttached();
  expect(asked).not.toContain(song);
  await expect(mark.getByText('The melody:')).toBeVisible();
  await expect(mark.getByText(LINES[1]!)).toHaveAttribute('lang', 'bo');
  await expect(card.getByRole('status').filter({ hasText: `The melody: ${LINES[1]}` })).toBeAttached();
  await expect.poll(() => sounding(page)).toEqual([{ file: song, at: expect.any(Number) }]);
  const at = (await sounding(page))[0]?.at;
  expect(at).toBeGreaterThanOrEqual(6);
  expect(at).toBeLessThan(12);
  await expect(mark.getByRole('link', { name: 'Open the player at this line' })).toHaveAttribute(
    'href',
    `/melodies?play=${melodyId}&at=6`,
  );
  await expect(mark.getByText('The melody:')).toBeHidden();
  await expect.poll(() => sounding(page)).toEqual([]);
  // The passage to its end, the line to where the next one begins.
  expect((await places(page)).toSorted((a, b) => a - b)).toEqual([4, 12]);

  await test.step('a pin does the same, and the same press stops the line', async () => {
    await card.locator('button').filter({ hasText: /^1$/ }).click();
    await expect(mark.getByText('The melody:')).toBeVisible();
    await mark.getByRole('button', { name: /^Stop 0:01–0:04/ }).click();
    await expect(mark.getByText('The melody:')).toBeHidden();
    await expect.poll(() => sounding(page)).toEqual([]);
  });
  await test.step('by keyboard: Space begins, Space stops, and Enter begins again', async () => {
    const button = mark.getByRole('button');
    await button.focus();
    await page.keyboard.press('Space');
    await expect(mark.getByText('Your recording')).toBeVisible();
    await page.keyboard.press('Space');
    await expect(mark.getByText('Your recording')).toBeHidden();
    await expect.poll(() => sounding(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await expect(mark.getByText('The melody:')).toBeVisible();
    // As where a press gives a button no focus.
    await button.blur();
    await page.keyboard.press('Space');
    await expect(mark.getByText('The melody:')).toBeHidden();
    await expect.poll(() => sounding(page)).toEqual([]);
  });
  await test.step('the recording’s own button stops the passage, and nothing follows', async () => {
    await mark.getByRole('button').click();
    await expect.poll(async () => (await sounding(page))[0]?.at).toBeGreaterThan(1);
    await card.getByRole('button', { name: /^Pause Your recording/ }).click();
    await expect(mark.getByText('Your recording')).toBeHidden();
  });
  await test.step('a mark of no line, and one that is older than lines, are heard alone', async () => {
    for (const words of ['Of no line', 'Older']) {
      const other = card.getByRole('listitem').filter({ hasText: words });
      await other.getByRole('button').click();
      await expect(other.getByText('Your recording')).toBeVisible();
      await expect(other.getByText('Your recording')).toBeHidden();
      await expect.poll(() => sounding(page)).toEqual([]);
      await expect(other.getByRole('link')).toHaveCount(0);
    }
  });
});

test('what was said last time is heard in the same way while one sings again', async ({
  signedIn,
  world,
}) => {
  const student = await world.student();
  const { melodyId } = await answered(world, student, 'To sing again');
  const page = await signedIn(student);
  await page.goto('/feedback');
  await page.getByRole('link', { name: 'Practice Again' }).click();
  await expect(page).toHaveURL(new RegExp(`melody=${melodyId}&after-recording=`));
  const mark = page
    .getByRole('list', { name: /^Marks in/ })
    .getByRole('listitem')
    .filter({ hasText: 'Softer' });
  await mark.getByRole('button').click();
  await expect(mark.getByText('The melody:')).toBeVisible();

  await test.step('the microphone hears nothing of it', async () => {
    await page.getByRole('button', { name: 'Start recording' }).click();
    await expect(mark.getByText('The melody:')).toBeHidden();
  });
});

test.describe('where sound begins only with a press on its own player', () => {
  /** What some phones demand of each player: that it was told to load or play within a press. */
  const strict = (page: Page, isHopeless: boolean) =>
    page.addInitScript((never) => {
      const pressed = new WeakSet<HTMLMediaElement>();
      const isPress = () => window.event?.isTrusted && /^(click|key)/.test(window.event.type);
      const { load, play } = HTMLMediaElement.prototype;
      HTMLMediaElement.prototype.load = function (this: HTMLMediaElement) {
        if (isPress() && !never) pressed.add(this);
        load.call(this);
      };
      HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
        if (isPress()) pressed.add(this);
        if (pressed.has(this)) return play.call(this);
        return Promise.reject(new DOMException('No press', 'NotAllowedError'));
      };
    }, isHopeless);

  test('the line follows all the same', async ({ signedIn, world }) => {
    const student = await world.student();
    await answered(world, student, 'On a strict phone');
    const page = await signedIn(student);
    await strict(page, false);
    await page.goto('/feedback');
    const mark = page.getByRole('listitem').filter({ hasText: 'Softer' });
    await mark.getByRole('button').click();
    await expect(mark.getByText('The melody:')).toBeVisible();
  });

  test('and where it does not, one more press is offered', async ({ signedIn, world }) => {
    const student = await world.student();
    await answered(world, student, 'On the strictest phone');
    const page = await signedIn(student);
    await strict(page, true);
    await listenIn(page);
    await page.goto('/feedback');
    const mark = page.getByRole('listitem').filter({ hasText: 'Softer' });
    await mark.getByRole('button').click();
    await mark.getByRole('button', { name: 'Hear the melody' }).click();
    await expect(mark.getByText('The melody:')).toBeVisible();
    await expect.poll(async () => (await sounding(page))[0]?.at).toBeGreaterThanOrEqual(6);
    await expect(mark.getByRole('button', { name: /^Stop/ })).toBeFocused();
    await expect(mark.getByRole('button', { name: 'Hear the melody' })).toHaveCount(0);
  });
});

for (const [what, loseIt] of [
  [
    'no longer given to the student',
    async (world: World, { student }: Lost) => {
      const level = await world.level('Refuge');
      const { status } = await world.teacher.delete(
        `/api/admin/users/${student.id}/transmission-access/${level.id}`,
      );
      expect(status).toBe(200);
    },
  ],
  [
    'deleted',
    async (world: World, { melodyId }: Lost) => {
      expect((await world.teacher.delete(`/api/melodies/${melodyId}`)).status).toBe(200);
    },
  ],
  ['no longer timed', (world: World, { melodyId }: Lost) => timeLines(world, melodyId, [])],
] as const) {
  test(`of a melody that is ${what} nothing is heard or shown, and the passage alone is`, async ({
    signedIn,
    world,
  }) => {
    await world.teacher.post('/api/admin/transmission-levels', { name: 'Refuge' });
    const student = await world.student(undefined, ['Open to All', 'Refuge']);
    const { melodyId, song } = await answered(world, student, `Lost: ${what}`, 'Refuge');
    const page = await signedIn(student);
    const asked = await listenIn(page);
    await page.goto('/feedback');
    const mark = page.getByRole('listitem').filter({ hasText: 'Softer' });
    await expect(mark).toBeVisible();
    await loseIt(world, { student, melodyId });
    await mark.getByRole('button').click();
    await expect(mark.getByText('Your recording')).toBeVisible();
    await expect(mark.getByText('Your recording')).toBeHidden();
    await expect.poll(() => sounding(page)).toEqual([]);
    await expect(mark.getByRole('link')).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.locator('body')).not.toContainText(LINES[1]!);
    expect(asked).not.toContain(song);
  });
}

type Lost = { student: Student; melodyId: number };
