import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { api } from '#app/api.ts';
import { setPageUserId } from '#web/api/page-user.ts';
import {
  buildMelody,
  buildStudent,
  buildTeacher,
  buildCompleteMelody,
  mockLibrary,
  type MelodyFixture,
  OPEN_LEVEL,
  getToneFileName,
} from '#testing/browser/community.ts';
import {
  mockEndpoint,
  breakConnection,
  getCalls,
  holdResponses,
  rejectCalls,
} from '#testing/browser/fake-api.ts';
import {
  expectAccessibleInBothThemes,
  expectNoHorizontalScroll,
} from '#testing/browser/expect-accessible.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import {
  expectUrl,
  expectCount,
  expectText,
  expectTexts,
  page,
  pressKeyOn,
} from '#testing/browser/screen.ts';

const user = buildStudent();
const main = page.getByRole('main');
const goOn = main.getByRole('link', { name: /^Continue/ });
const done = { message: 'Done' };

beforeEach(() => localStorage.clear());
// Sets the user that the app would set when it loads the session.
setPageUserId(user.id);

const storePractisedMelody = (melody: MelodyFixture, given: { line?: number | null; rate?: number } = {}) =>
  localStorage.setItem(
    `practised ${user.id}`,
    JSON.stringify([{ melodyId: melody.id, line: null, rate: 1, at: Date.now(), ...given }]),
  );

/** Mocks the endpoints of today's list and stores changes, as the server does. */
function serveTodaysList(wished: [MelodyFixture, times: number][]) {
  let rows = wished.map(([{ id, title, duration }, times]) => ({
    ...{ melodyId: id, title, thumbnailUrl: null, duration, times },
  }));
  mockEndpoint(api.chosenMelodies.today, () => rows);
  mockEndpoint(api.chosenMelodies.putToday, ({ path, body }) => {
    const { times } = body as { times: number };
    rows = rows.map((row) => (path.endsWith(`/${row.melodyId}`) ? { ...row, times } : row));
    return done;
  });
  mockEndpoint(api.chosenMelodies.removeToday, ({ path }) => {
    rows = rows.filter(({ melodyId }) => !path.endsWith(`/${melodyId}`));
    return done;
  });
  mockEndpoint(api.chosenMelodies.orderToday, ({ body }) => {
    const { melodyIds } = body as { melodyIds: number[] };
    rows = melodyIds.map((id) => rows.find(({ melodyId }) => melodyId === id)!);
    return done;
  });
}

test('a teacher’s home has one primary button and does not load today’s list', async () => {
  await renderPage('/', { user: buildTeacher() });
  await expect.element(main.getByRole('heading', { level: 1 })).toBeVisible();
  await expectTexts(main.getByRole('heading', { level: 2 }), ['Your Sacred Journey']);
  expect(main.getByRole('link', { name: 'Explore Melodies' }).element().className).toContain('bg-action');
  expect(getCalls(api.chosenMelodies.today)).toEqual([]);
});

test('home shows a teacher the number of waiting recordings first', async () => {
  mockEndpoint(api.recordings.countPending, { count: 7 });
  await renderPage('/', { user: buildTeacher() });
  await expectTexts(main.getByRole('heading'), [
    '7 recordings waiting',
    'Welcome toYangchen',
    'Your Sacred Journey',
    ...[/^Sacred Melodies/, /^Student Submissions/, /^Sangha/],
  ]);
  await expect
    .element(main.getByRole('link', { name: 'Listen and reply' }))
    .toHaveAttribute('href', '/admin');
  await expectCount(main.css('a.bg-action, button.bg-action'), 1);
});

test('home shows a teacher the waiting recordings above the passkey suggestion', async () => {
  mockEndpoint(api.recordings.countPending, { count: 7 });
  await renderPage('/', { user: buildTeacher({ suggestPasskey: true }) });
  await expectTexts(main.getByRole('link'), [
    'Listen and reply',
    'Add a passkey',
    ...['Explore Melodies', 'Explore Library', 'Admin Inbox'],
  ]);
});

test('on a wide screen, the welcome is below the melody to continue', async () => {
  const songs = Array.from({ length: 6 }, (_, index) => buildCompleteMelody(`Verse ${index}`));
  mockLibrary(songs);
  storePractisedMelody(songs[0]!);
  serveTodaysList(songs.map((song) => [song, 1]));
  await page.viewport(1440, 900);
  await renderPage('/', { user });
  await expect.element(main.getByRole('heading', { level: 1 })).toBeVisible();
  const boxOf = (locator: typeof main) => locator.element().getBoundingClientRect();
  const continued = boxOf(main.getByRole('region', { name: 'Verse 0' }));
  const welcome = boxOf(main.getByRole('heading', { level: 1 }));
  expect(welcome.left).toBe(continued.left);
  expect(welcome.top - continued.bottom).toBeLessThan(60);
  expect(boxOf(main.getByRole('region', { name: 'Today' })).left).toBeGreaterThan(continued.right);
});

test('home links a student to the melodies, the submit page and the feedback', async () => {
  await renderPage('/', { user });
  for (const [name, href] of [
    ['Explore Melodies', '/melodies'],
    ['Submit Recording', '/submit'],
    ['Explore Library', '/melodies'],
    ['View Feedback', '/feedback'],
  ] as const)
    await expect.element(main.getByRole('link', { name }).first()).toHaveAttribute('href', href);
  expect(main.getByRole('link', { name: 'Explore Melodies' }).element().className).toContain('bg-action');
  await expectTexts(main.getByRole('heading'), [
    'Welcome toYangchen',
    'Your Sacred Journey',
    'Sacred Melodies',
    'Submit to Khandro-la',
    'Your Feedback',
    'Sangha Community',
  ]);
  await expect.element(main.getByRole('button', { name: 'Coming Soon' })).toBeDisabled();
  await expect.element(main.getByText(/^“May all beings have happiness/)).toBeVisible();
});

test('home offers the last practised line, replies, questions and waiting recordings', async () => {
  const song = buildCompleteMelody('Seven Line Prayer', {
    melodyText: 'one\n\ntwo\n\nthree',
    timings: [
      { line: 0, start: 1 },
      { line: 4, start: 7.25 },
    ],
  });
  mockLibrary([song]);
  storePractisedMelody(song, { line: 2, rate: 0.75 });
  const createdAt = new Date(Date.now() - 2 * 3_600_000);
  mockEndpoint(api.feedback.newestUnread, {
    newest: { recordingId: 9, title: 'Refuge', marks: 3, createdAt },
  });
  mockEndpoint(api.feedback.unreadCount, { count: 2 });
  mockEndpoint(api.agreements.waiting, { count: 2 });
  mockEndpoint(api.recordings.waiting, { count: 1, title: 'Dedication' });
  serveTodaysList([[song, 7]]);
  await page.viewport(320, 640);
  await renderPage('/', { user });
  await expect.element(main.getByText('Line 3 · 0.75×')).toBeVisible();
  await expect.element(goOn).toHaveTextContent('Continue from line 3');
  expect(goOn.element()).toHaveAttribute('href', `/melodies?play=${song.id}&line=3&speed=0.75`);
  const answered = main.getByRole('link', { name: /Khandro-la replied/ });
  await expectText(answered, /Refuge.*2 hours ago.*· three comments.*2 unread/);
  expect(answered.element()).toHaveAttribute('href', '/feedback?recording=9');
  const asks = main.getByRole('link', { name: /Khandro-la has a question/ });
  await expectText(asks, /May others hear a passage of your recording\?.*2 questions/);
  expect(asks.element()).toHaveAttribute('href', '/feedback');
  await expect.element(main.getByText('Waiting for feedback: Dedication')).toBeVisible();
  await expect.element(main.getByText('7 times · you stopped at line 3, at 0.75× speed')).toBeVisible();
  const filled = main.element().querySelectorAll('a.bg-action, button.bg-action');
  expect(
    [...filled].map(({ textContent }) => textContent),
    'home has one primary button',
  ).toEqual(['Continue from line 3']);
  await expectAccessibleInBothThemes('returning');
  expectNoHorizontalScroll('returning');
  onTestFinished(() => void (document.documentElement.style.fontSize = ''));
  document.documentElement.style.fontSize = '200%';
  expectNoHorizontalScroll('returning, in letters twice as large');
});

test('the melody to continue loads without a layout shift, and disappears if deleted', async () => {
  const song = buildCompleteMelody('Prayer of a Long Name That Needs Two Lines');
  mockLibrary([song]);
  storePractisedMelody(song);
  await page.viewport(390, 844);
  await renderPage('/', { user });
  await expect.element(main.getByRole('heading', { name: song.title })).toBeVisible();
  const release = holdResponses(api.melodies.one);
  await reloadPage();
  await expect.element(goOn).toBeVisible();
  const place = goOn.element().getBoundingClientRect().top;
  await expect.element(main.getByRole('heading', { name: song.title })).toBeVisible();
  release();
  await expect.element(main.getByRole('region', { name: song.title }).css('img')).toBeVisible();
  expect(goOn.element().getBoundingClientRect().top).toBe(place);

  rejectCalls(api.melodies.one, 404, { message: 'This melody no longer exists' });
  await reloadPage();
  await expect.element(main.getByRole('heading', { level: 1 })).toBeVisible();
  await expectCount(goOn, 0);
  await reloadPage();
  await expectCount(main.getByText(song.title), 0);
});

test('pressing a melody’s circle in today’s list ticks the melody off until tomorrow', async () => {
  const [refuge, prayer] = [
    buildMelody('Refuge', { duration: 60 }),
    buildMelody('Prayer', { duration: 120 }),
  ];
  serveTodaysList([
    [refuge, 3],
    [prayer, 1],
  ]);
  await renderPage('/', { user });
  await expect.element(main.getByText('about 5 minutes')).toBeVisible();
  const play = main.getByRole('link', { name: 'Play the list' });
  expect(play.element()).toHaveAttribute('href', `/melodies?play=${refuge.id}&list=today`);
  const circle = main.getByRole('checkbox', { name: 'Sung today: Refuge' });
  await pressKeyOn(circle, 'Space');
  await expect.element(circle).toBeChecked();
  await expect.element(main.getByText('sung 3 times')).toBeVisible();
  expect(play.element()).toHaveAttribute('href', `/melodies?play=${prayer.id}&list=today`);
  await reloadPage();
  await expect.element(circle).toBeChecked();
  localStorage.setItem(
    `sung today ${user.id}`,
    JSON.stringify({ day: '2020-01-01', sung: { [refuge.id]: 3 } }),
  );
  await reloadPage();
  await expect.element(circle).not.toBeChecked();
});

test('today’s list can be edited with the keyboard, and a failed change is rolled back', async () => {
  const songs = ['First', 'Second', 'Third'].map((title) => buildMelody(title));
  serveTodaysList(songs.map((song) => [song, 1]));
  await renderPage('/', { user });
  const titles = main.getByRole('heading', { level: 3 });
  await pressKeyOn(main.getByRole('button', { name: 'Edit list' }), 'Enter');
  const later = main.getByRole('button', { name: 'Move First down' });
  await pressKeyOn(later, 'Enter');
  await expect.element(later).toHaveFocus();
  await expect.element(main.getByText('First is now 2 of 3')).toBeInTheDocument();
  const times = main.getByRole('textbox', { name: 'How many times: Third' });
  await times.fill('108');
  await pressKeyOn(main.getByRole('button', { name: 'Remove Second from the list' }), 'Enter');
  await expect.element(main.getByRole('button', { name: 'Remove First from the list' })).toHaveFocus();
  await times.fill('109');
  await pressKeyOn(main.getByRole('button', { name: 'Done' }), 'Enter');
  await expectTexts(titles, [/^First/, /^Third/, ...journey]);
  await expect.element(main.getByText('108 times')).toBeVisible();
  await reloadPage();
  await expectTexts(titles, [/^First/, /^Third/, ...journey]);
  await expect.element(main.getByText('108 times')).toBeVisible();

  breakConnection(api.chosenMelodies.removeToday);
  await main.getByRole('button', { name: 'Edit list' }).click();
  await main.getByRole('button', { name: 'Remove First from the list' }).click();
  await expectText(main.getByRole('alert'), /^Couldn’t change your list\.No connection/);
  await expect.element(main.getByRole('button', { name: 'Remove First from the list' })).toBeVisible();
  await page.viewport(320, 640);
  await expectAccessibleInBothThemes('changing the list');
  expectNoHorizontalScroll('changing the list');
});

const journey = [/Sacred Melodies/, /Submit to/, /Your Feedback/, /Sangha/];

const readSungCounts = () => JSON.parse(localStorage.getItem(`sung today ${user.id}`) ?? 'null')?.sung;
const player = page.getByRole('dialog');
const aSound = (title: string, seconds: number) =>
  buildMelody(title, { audioUrl: getToneFileName(seconds), duration: seconds, level: OPEN_LEVEL });

test('today’s list plays each melody as often as planned, then the next melody', async () => {
  const [first, second] = [aSound('First', 1), aSound('Second', 1)];
  mockLibrary([first, second]);
  serveTodaysList([
    [first, 2],
    [second, 1],
  ]);
  // Stores a loop. The list ignores the loop and plays whole melodies, but the loop stays stored for the next
  // practice.
  const loop = { a: 0.2, b: 0.4, kind: 'active' };
  localStorage.setItem(`practice ${user.id} ${first.id}`, JSON.stringify({ loop }));
  await renderPage('/', { user });
  await main.getByRole('link', { name: 'Play the list' }).click();
  await expect.element(player.getByText(/^Today’s list: melody 1 of 2, round \d of 2$/)).toBeVisible();
  await expect.element(player.getByRole('heading', { name: 'Second' }), { timeout: 15_000 }).toBeVisible();
  await expect.element(player.getByText('Today’s list: melody 2 of 2')).toBeVisible();
  await expectUrl(new RegExp(`play=${second.id}&list=today`));
  expect(readSungCounts()).toMatchObject({ [first.id]: 2 });
  await expect.poll(readSungCounts, { timeout: 15_000 }).toEqual({ [first.id]: 2, [second.id]: 1 });
  await expect.element(player.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  expect(JSON.parse(localStorage.getItem(`practice ${user.id} ${first.id}`)!).loop).toMatchObject(loop);
  history.back();
  await expect.element(main.getByRole('checkbox', { name: 'Sung today: Second' })).toBeChecked();
});

test('Continue and Play start playback, and looped passages do not count as sung', async () => {
  const song = aSound('Refuge', 5);
  mockLibrary([song]);
  storePractisedMelody(song);
  serveTodaysList([[song, 3]]);
  const loop = { a: 0.5, b: 0.8, kind: 'active' };
  localStorage.setItem(`practice ${user.id} ${song.id}`, JSON.stringify({ loop, repeats: 2 }));
  await renderPage('/', { user });
  await goOn.click();
  await expect.element(player.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await expect.element(player.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  expect(readSungCounts()).toBeUndefined();
  history.back();
  await expectCount(player, 0);
  await main.getByRole('link', { name: 'Play Refuge' }).click();
  await expect.element(player.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
});

test('once the device is online again, home refetches data that failed to load', async () => {
  const song = buildCompleteMelody('Seven Line Prayer');
  mockLibrary([song]);
  storePractisedMelody(song);
  const mend = breakConnection(api.melodies.one);
  breakConnection(api.feedback.newestUnread, { times: 1 });
  await renderPage('/', { user });
  await expect.element(goOn).toBeVisible();
  await expectCount(main.getByRole('heading', { name: song.title }), 0);
  mend();
  const createdAt = new Date();
  mockEndpoint(api.feedback.newestUnread, {
    newest: { recordingId: 9, title: 'Refuge', marks: 1, createdAt },
  });
  dispatchEvent(new Event('online'));
  await expect.element(main.getByRole('heading', { name: song.title })).toBeVisible();
  await expect.element(main.getByRole('region', { name: song.title }).css('img')).toBeVisible();
  await expectText(main.getByRole('link', { name: /Khandro-la replied/ }), /· one comment/);
});
