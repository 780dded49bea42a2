import type { Page } from '@playwright/test';
import { expectFineEverywhere } from './everywhere.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';
import { addMelody, openPlayer, soundIn } from './player.ts';

const TEXT = 'Sangye chö dang\nJangchub bardu';
const timings = [
  { line: 0, start: 1 },
  { line: 1, start: 3 },
];
const NOTHING_MORE = 'The waveform and the times of the lines did not come.';

const withTimes = (world: World) => addMelody(world, { text: TEXT, timings });
const tryAgain = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Try again' });
const playerCode = '**/assets/player-overlay-*.js';

for (const [what, status] of [
  ['a line that is lost', 0],
  ['a server that fails', 500],
] as const)
  test(`${what} takes neither the words nor a song that plays, and the rest can be asked for again`, async ({
    signedIn,
    world,
  }) => {
    const { id, title } = await withTimes(world);
    const page = await signedIn(await world.student());
    let isAnswered = false;
    let refuse = () => {};
    const isAsked = new Promise<void>((resolve) => (refuse = resolve));
    await page.route(`**/api/melodies/${id}`, async (route) => {
      if (isAnswered) return route.continue();
      await isAsked;
      await (status === 0
        ? route.abort('connectionreset')
        : route.fulfill({ status, json: { message: 'Something went wrong' } }));
    });
    await openPlayer(page, title);
    const player = page.getByRole('dialog', { name: title });
    await player.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(async () => (await soundIn(page)).at).toBeGreaterThan(0);
    refuse();
    await expect(player.getByText(NOTHING_MORE)).toBeVisible();
    await expect(player.getByText('Sangye chö dang')).toBeVisible();
    expect((await soundIn(page)).plays).toBe(true);
    const { at } = await soundIn(page);
    await expect.poll(async () => (await soundIn(page)).at).toBeGreaterThan(at);

    // Still away: it says so still, and can be pressed again.
    await tryAgain(page).click();
    await expect(tryAgain(page)).toBeEnabled();
    await expect(player.getByText(NOTHING_MORE)).toBeVisible();
    isAnswered = true;
    await tryAgain(page).click();
    await expect(player.getByRole('button', { name: /Play from “Sangye/ })).toBeVisible();
    await expect(player.getByText(NOTHING_MORE)).toBeHidden();
    expect((await soundIn(page)).plays).toBe(true);
    // What was pressed has gone; the keys have not.
    await page.keyboard.press('Escape');
    await expect(player).toBeHidden();
  });

test('a melody that was taken away meanwhile leaves the player', async ({ signedIn, world }) => {
  const { id, title } = await withTimes(world);
  const page = await signedIn(await world.student());
  // Else its card may have gone already.
  await page.route('**/api/events', (route) => route.abort());
  await page.goto('/melodies');
  const button = page.getByRole('button', { name: `Advanced Player of ${title}` });
  await expect(button).toBeVisible();
  expect((await world.teacher.delete(`/api/melodies/${id}`)).status).toBe(200);
  await button.click();
  await expect(page.getByText('This melody is not in your library.')).toBeVisible();
  await expect(page.getByRole('dialog').getByText('Sangye chö dang')).toBeHidden();
});

test('the wait for the player’s code shows itself, and can be left', async ({ signedIn, world }) => {
  const { title } = await withTimes(world);
  const page = await signedIn(await world.student());
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  await page.route(playerCode, async (route) => {
    await isAnswered;
    await route.continue();
  });
  await page.goto('/melodies');
  const button = page.getByRole('button', { name: `Advanced Player of ${title}` });
  await button.click();
  const player = page.getByRole('dialog', { name: title });
  await expect(player.getByText('Loading...')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(player).toBeHidden();
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(player.getByText('Loading...')).toBeVisible();
  answer();
  await expect(player.getByRole('button', { name: 'Play', exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
});

test('when the player’s code does not come, that is said, the library stays, and it can be asked for again', async ({
  signedIn,
  world,
}) => {
  const { title } = await withTimes(world);
  const page = await signedIn(await world.student());
  await page.route(playerCode, (route) => route.abort('connectionreset'));
  await page.route('**/api/health', (route) => route.abort('connectionreset'));
  await page.goto('/melodies');
  const button = page.getByRole('button', { name: `Advanced Player of ${title}` });
  await button.click();
  const player = page.getByRole('dialog', { name: title });
  await expect(player.getByText('The player could not be loaded.')).toBeVisible();
  await expectFineEverywhere(page, 'the player without its code');
  await page.setViewportSize({ width: 1280, height: 720 });
  await player.getByRole('button', { name: 'Close' }).click();
  await expect(player).toBeHidden();
  await expect(button).toBeFocused();
  await page.getByRole('button', { name: `Play ${title}`, exact: true }).click();
  await expect(page.getByRole('button', { name: `Pause ${title}`, exact: true })).toBeVisible();

  await button.click();
  await tryAgain(page).click();
  await expect(tryAgain(page)).toBeEnabled();
  await expect(player.getByText('The player could not be loaded.')).toBeVisible();
  await page.unroute(playerCode);
  await page.unroute('**/api/health');
  await tryAgain(page).click();
  await expect(player.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
});

test('when the code for timing does not come, the melody plays on and the words are a press away', async ({
  signedIn,
  world,
}) => {
  const { title } = await withTimes(world);
  const page = await signedIn(TEACHER);
  const code = '**/assets/timing-editor-*.js';
  await page.route(code, (route) => route.abort('connectionreset'));
  await page.route('**/api/health', (route) => route.abort('connectionreset'));
  await openPlayer(page, title);
  const player = page.getByRole('dialog');
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await player.getByRole('button', { name: 'Time the lines' }).click();
  await expect(player.getByText('What times the lines could not be loaded.')).toBeVisible();
  expect((await soundIn(page)).plays).toBe(true);
  await player.getByRole('button', { name: 'Back to the words' }).click();
  await expect(player.getByText('Sangye chö dang')).toBeVisible();
  await player.getByRole('button', { name: 'Time the lines' }).click();
  await page.unroute(code);
  await page.unroute('**/api/health');
  await player.getByRole('button', { name: 'Try again' }).click();
  // A browser that remembers that the module did not come has the page loaded anew; then the words stand there first.
  const time = player.getByRole('button', { name: 'Time the lines' });
  await expect(async () => {
    if (await time.isVisible()) await time.click();
    await expect(page.getByText('2 of 2 lines timed')).toBeVisible({ timeout: 2_000 });
  }).toPass();
});
