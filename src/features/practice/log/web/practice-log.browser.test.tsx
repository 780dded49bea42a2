import { beforeEach, expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { formatIsoDate } from '#web/ui/format-iso-date.ts';
import { setPageUserId } from '#web/api/page-user.ts';
import { buildStudent, buildTeacher } from '#testing/browser/community.ts';
import {
  mockEndpoint,
  breakConnection,
  getCalls,
  loseNextResponse,
  rejectCalls,
} from '#testing/browser/fake-api.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import {
  buildMelodyWithText,
  openPlayer,
  playerDialog,
  pressPlayerButton,
  getLastPlayedElement,
} from '#testing/browser/player.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import {
  expectCount,
  expectText,
  expectTexts,
  page,
  pressKeyOn,
  userEvent,
} from '#testing/browser/screen.ts';
import type { PracticeAddition, PracticeDay, PractisedMelody } from '../contract.ts';
import { closePracticeRows, deletePracticeAdditions, addPractice } from './practice-store.ts';
import { sendPractice } from './send-practice.ts';

const TODAY = formatIsoDate(new Date());
const user = buildStudent({ keepsPracticeLog: true });
const done = { message: 'Done' };
const dialog = page.getByRole('dialog', { name: 'Practice log' });
const inDialog = (name: string | RegExp) =>
  dialog.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });
const field = (name: string) => dialog.getByRole('textbox', { name });

const buildPractisedMelody = (given: Partial<PractisedMelody> = {}): PractisedMelody => ({
  ...{ id: 7, melodyId: 3, title: 'Seven Line Prayer', target: null, sungBefore: 0 },
  ...{ seconds: 15_600, times: 1112, last: { day: TODAY, seconds: 720, times: 3 } },
  ...given,
});
const added = () =>
  getCalls(api.practiceLog.add).flatMap(({ body }) => (body as { additions: PracticeAddition[] }).additions);

beforeEach(async () => {
  setPageUserId(user.id);
  await deletePracticeAdditions(await closePracticeRows(user.id));
  mockEndpoint(api.practiceLog.add, done);
});

async function openLog(given: { melodies: PractisedMelody[]; days?: PracticeDay[]; user?: typeof user }) {
  mockEndpoint(api.practiceLog.list, given.melodies);
  mockEndpoint(api.practiceLog.days, given.days ?? []);
  await renderPage('/', { user: given.user ?? user });
  await pressKeyOn(page.getByRole('button', { name: /account/ }), 'Enter');
  await page.getByRole('menuitem', { name: 'Practice log' }).click();
  await expect.element(dialog).toBeVisible();
}

test('after a lost response, practice is sent again under the same id', async () => {
  const song = buildMelodyWithText({ seconds: 2 });
  await openPlayer(song, { user });
  await pressPlayerButton('Play');
  await expect.poll(() => getLastPlayedElement().ended).toBe(true);
  // Waits for the button to change back to Play, which shows that the player has counted the melody.
  await expectCount(playerDialog.getByRole('button', { name: 'Play', exact: true }), 1);
  loseNextResponse(api.practiceLog.add);
  await pressPlayerButton('Close');
  await expectCount(playerDialog, 0);
  await expect.poll(added).toHaveLength(1);
  expect(added()[0]).toMatchObject({ melodyId: song.id, day: TODAY, times: 1 });
  expect(added()[0]!.seconds).toBeGreaterThan(0);
  // Coming back online sends the addition again, under the same id, because its response was lost.
  dispatchEvent(new Event('online'));
  await sendPractice(user.id);
  await expect.poll(() => added().length).toBeGreaterThan(1);
  expect(new Set(added().map(({ clientId }) => clientId)).size).toBe(1);
  expect(await closePracticeRows(user.id)).toEqual([]);
});

test('practice is not counted for a student who has not opted in', async () => {
  await openPlayer(buildMelodyWithText({ seconds: 1 }), { user: buildStudent({ id: user.id }) });
  await pressPlayerButton('Play');
  await expect.poll(() => getLastPlayedElement().ended).toBe(true);
  await pressPlayerButton('Close');
  await expectCount(playerDialog, 0);
  expect(await closePracticeRows(user.id)).toEqual([]);
  expect(added()).toEqual([]);
});

test('stores one open row per user, melody and day, and never changes a closed row', async () => {
  const practice = { melodyId: 3, day: TODAY, seconds: 2.4, times: 0 };
  await addPractice(user.id, practice);
  await addPractice(user.id, { ...practice, times: 1 });
  await addPractice(user.id, { ...practice, day: '2026-01-01' });
  await addPractice('somebody else', practice);
  const closed = await closePracticeRows(user.id);
  const byDay = closed.toSorted((a, b) => a.day.localeCompare(b.day));
  expect(byDay.map(({ clientId: _, ...rest }) => rest)).toEqual([
    { melodyId: 3, day: '2026-01-01', seconds: 2, times: 0 },
    { melodyId: 3, day: TODAY, seconds: 5, times: 1 },
  ]);
  await addPractice(user.id, practice);
  const again = await closePracticeRows(user.id);
  expect(again).toHaveLength(3);
  expect(again).toEqual(expect.arrayContaining(closed));
  await deletePracticeAdditions(closed);
  expect(await closePracticeRows(user.id)).toHaveLength(1);
  await deletePracticeAdditions(await closePracticeRows('somebody else'));
});

test('explains why a session started with a teacher’s code can’t open the log', async () => {
  await openLog({ melodies: [buildPractisedMelody()], user: buildStudent({ codeShownBy: 'Khandro Yeshe' }) });
  await expect
    .element(dialog.getByText(/^This isn’t available, because you signed in with a code from Khandro Yeshe/))
    .toBeVisible();
  expect(getCalls(api.practiceLog.list)).toEqual([]);
});

test('only students can open the practice log and turn it on', async () => {
  await renderPage('/', { user: buildTeacher() });
  await pressKeyOn(page.getByRole('button', { name: /account/ }), 'Enter');
  await expect.element(page.getByRole('menuitem', { name: 'Settings' })).toBeVisible();
  await expectCount(page.getByRole('menuitem', { name: 'Practice log' }), 0);

  await openLog({ melodies: [], user: buildStudent({ id: user.id }) });
  await expect.element(dialog.getByText('The practice log is off.')).toBeVisible();
  rejectCalls(api.practiceLog.choose, 500, { times: 1 });
  await inDialog('Count my practice').click();
  await expect.element(dialog.getByRole('alert')).toBeVisible();
  mockEndpoint(api.practiceLog.choose, { keepsPracticeLog: true });
  await pressKeyOn(inDialog('Count my practice'), 'Enter');
  await expect.element(dialog.getByText('Nothing yet.')).toBeVisible();
  expect(getCalls(api.practiceLog.choose).at(-1)?.body).toEqual({ keepsPracticeLog: true });
});

test('the log shows each melody’s minutes, times sung and progress towards its target', async () => {
  const melodies = [
    buildPractisedMelody(),
    buildPractisedMelody({
      id: 8,
      title: 'Vajra Guru Mantra',
      target: 100_000,
      sungBefore: 12_000,
      last: null,
    }),
    buildPractisedMelody({ id: 9, title: 'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ', melodyId: null, seconds: 30, times: 0, last: null }),
  ];
  await openLog({ melodies, days: [{ day: TODAY, seconds: 720, times: 3 }] });
  await expectTexts(dialog.getByRole('listitem'), [
    'Seven Line PrayerToday 12 min, 3 times · 4 h 20 min in total, 1,112 times',
    'Vajra Guru Mantra4 h 20 min13,112 of 100,000',
    'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ1 min',
  ]);
  await pressKeyOn(inDialog(/^Seven Line Prayer/), 'Enter');
  await expect.element(dialog.getByText('Today: 12 min, 3 times')).toBeVisible();
  await expectAccessibleWithoutOverflow('the practice log with a melody opened');
});

test('a student edits a melody’s target and days, then removes the melody', async () => {
  await openLog({ melodies: [buildPractisedMelody()], days: [{ day: TODAY, seconds: 750, times: 3 }] });
  await inDialog(/^Seven Line Prayer/).click();
  await inDialog('100,000').click();
  await field('Times sung before this log').fill('12,o00');
  await inDialog('Save').click();
  await expect
    .element(field('Times sung before this log'))
    .toHaveAccessibleDescription('Please enter a whole number from 0 to 100,000,000.');
  expect(getCalls(api.practiceLog.change)).toEqual([]);
  await field('Times sung before this log').fill('12 000');
  mockEndpoint(api.practiceLog.change, done);
  mockEndpoint(api.practiceLog.list, [buildPractisedMelody({ target: 100_000, sungBefore: 12_000 })]);
  await inDialog('Save').click();
  await expect.element(dialog.getByText('13,112 of 100,000')).toBeVisible();
  expect(getCalls(api.practiceLog.change)[0]?.body).toEqual({ target: 100_000, sungBefore: 12_000 });

  await pressKeyOn(inDialog('Edit Today'), 'Enter');
  await expect.element(field('Minutes')).toHaveFocus();
  await field('How many times').fill('4');
  const meanwhile = 'These numbers changed while you were editing. Please check them and try again.';
  rejectCalls(api.practiceLog.correct, 409, { message: meanwhile, times: 1 });
  await inDialog('Save').click();
  await expectText(dialog.getByRole('alert'), meanwhile);
  mockEndpoint(api.practiceLog.correct, { day: TODAY, seconds: 750, times: 4 });
  await userEvent.keyboard('{Enter}');
  await expectCount(field('Minutes'), 0);
  expect(getCalls(api.practiceLog.correct).at(-1)).toMatchObject({
    path: `/api/user/practice-log/7/days/${TODAY}`,
    body: { seconds: 750, times: 4, seen: { seconds: 750, times: 3 } },
  });

  await inDialog('Add practice').click();
  await field('How many times').fill('108');
  await inDialog('Add').click();
  await expectCount(field('Minutes'), 0);
  expect(getCalls(api.practiceLog.correct).at(-1)?.body).toEqual({
    ...{ seconds: 750, times: 111, seen: { seconds: 750, times: 3 } },
  });

  mockEndpoint(api.practiceLog.remove, done);
  mockEndpoint(api.practiceLog.list, []);
  await inDialog('Remove from the log').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  await expect.element(dialog.getByText('Nothing yet.')).toBeVisible();
});

test('while offline, shows how much practice is saved on this device and not yet sent', async () => {
  breakConnection(api.practiceLog.add);
  await addPractice(user.id, { melodyId: 3, day: TODAY, seconds: 600, times: 1 });
  await openLog({ melodies: [buildPractisedMelody()] });
  await expect.element(dialog.getByText(/^10 min of practice is saved on this device/)).toBeVisible();
  mockEndpoint(api.practiceLog.add, done);
  await sendPractice(user.id);
  expect(await closePracticeRows(user.id)).toEqual([]);
});
