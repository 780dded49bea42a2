import type { Locator, Page } from '@playwright/test';
import { FILE_DAMAGED } from '../src/platform/contract/media.ts';
import { expectFineEverywhere } from './everywhere.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';
import { addMelody, openPlayer, pause, soundIn } from './player.ts';

const TEXT =
  'bo: སངས་རྒྱས་ཆོས་དང་ཚོགས།\nSangye chö dang tsok\nen: In the Buddha\n\nJangchub bardu\n\nDak gi jin sok';
const STARTS = [0, 1.5, 3];
const timings = [0, 4, 6].map((line, i) => ({ line, start: STARTS[i]! }));
const SOUND = '**/api/files/*type=audio';

const addTimed = (world: World, seconds = 12) => addMelody(world, { text: TEXT, timings, seconds });
const playerOf = (page: Page) => page.getByRole('dialog');
const press = (player: Locator, name: string | RegExp) =>
  player.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).click();

test('everyone can use the player while it plays, when all was heard, and when a loop was let go', async ({
  signedIn,
  world,
}) => {
  const { title } = await addTimed(world);
  const page = await signedIn(await world.student());
  await openPlayer(page, title);
  const player = playerOf(page);
  await player.getByLabel('Loop plays').selectOption('another …');
  await press(player, 'Once less');
  await press(player, 'Once less');
  await press(player, 'Once less');
  await press(player, 'Loop lines');
  await press(player, /Begin the loop with “Sangye|Begin the loop with “སངས/);
  await press(player, /End the loop with “Sangye|End the loop with “སངས/);
  await expect(player.getByText(/^Looping “/)).toBeVisible();
  await expect(player.getByText('done')).toBeVisible();
  await expectFineEverywhere(page, 'done, the words looping');

  await press(player, /Play from “Dak gi/);
  await expect(player.getByRole('button', { name: 'Loop again' })).toBeVisible();
  await expect(page.locator('.sung-text [aria-current]')).toBeVisible();
  await expectFineEverywhere(page, 'playing, a line lit, the loop let go');

  await player.getByLabel('Number of times').fill('0');
  await page.setViewportSize({ width: 320, height: 640 });
  await press(player, /Speed and repeats/);
  await expectFineEverywhere(page, 'a number that cannot be');
});

test('everyone can come back to the line being sung', async ({ signedIn, world }) => {
  const many = Array.from({ length: 40 }, (_, i) => `Line ${i}`);
  const { title } = await addMelody(world, {
    text: many.join('\n\n'),
    timings: many.map((_, i) => ({ line: i * 2, start: i })),
    seconds: 60,
  });
  const page = await signedIn(await world.student());
  await openPlayer(page, title);
  await press(playerOf(page), 'Play from “Line 0”, 0:00');
  await expect.poll(async () => (await soundIn(page)).at).toBeGreaterThan(0.2);
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, 2_000);
  await expect(page.getByRole('button', { name: 'Back to the line being sung' })).toBeVisible();
  await expectFineEverywhere(page, 'the reader has scrolled');
});

test('everyone can use the player on a poor connection', async ({ signedIn, world }) => {
  const { id, title } = await addTimed(world);
  const page = await signedIn(await world.student());
  await openPlayer(page, title);
  const player = playerOf(page);
  await page.route(SOUND, (route) => route.abort('connectionreset'));
  await press(player, 'Play');
  await expect(player.getByText('The connection was lost.')).toBeVisible();
  await expectFineEverywhere(page, 'lost');

  await page.unroute(SOUND);
  // Never answered.
  await page.route(SOUND, () => undefined);
  await press(player, 'Try again');
  await expect(player.getByText('The connection is slow.').first()).toBeVisible();
  await expect(player.getByRole('button', { name: 'Pause', exact: true })).toHaveAttribute(
    'aria-busy',
    'true',
  );
  await expectFineEverywhere(page, 'slow');
  await page.unroute(SOUND);

  await page.route(SOUND, (route) => route.fulfill({ status: 503, json: { message: FILE_DAMAGED } }));
  await page.reload();
  await press(player, 'Play');
  await expect(player.getByText('The sound of this melody is damaged')).toBeVisible();
  await expect(player.getByRole('button', { name: 'Play', exact: true })).toBeDisabled();
  await expectFineEverywhere(page, 'damaged');
  await page.unroute(SOUND);

  await page.route(`**/api/melodies/${id}`, (route) => route.abort('connectionreset'));
  await page.reload();
  await expect(player.getByText('The waveform and the times of the lines did not come.')).toBeVisible();
  await expectFineEverywhere(page, 'the waveform did not come');

  await page.goto('/melodies?play=999999');
  await expect(page.getByText('This melody is not in your library.')).toBeVisible();
  await expectFineEverywhere(page, 'not in the library');
  await page.route('**/api/melodies/999998', (route) => route.abort('connectionreset'));
  await page.goto('/melodies?play=999998');
  await expect(page.getByText('The melody could not be loaded.')).toBeVisible();
  await expectFineEverywhere(page, 'not loaded');

  await page.route('**/assets/player-overlay-*.js', (route) => route.abort('connectionreset'));
  await page.reload();
  await expect(player.getByText('The player could not be loaded.')).toBeVisible();
  await expectFineEverywhere(page, 'without its code');
});

test('everyone can use a melody without sound, and one whose loops are approximate', async ({
  signedIn,
  world,
}) => {
  const { id: transmissionLevelId } = await world.level('Open to All');
  const silent = async (rest: Record<string, string>) => {
    const { status, body } = await world.teacher.form('/api/melodies', {
      title: 'Without sound',
      transmissionLevelId,
      ...rest,
    });
    expect(status).toBe(201);
    return body.id as number;
  };
  const page = await signedIn(await world.student());
  const player = playerOf(page);
  await page.goto(`/melodies?play=${await silent({ vimeoUrl: 'https://video.example/1' })}`);
  const video = player.getByRole('link', { name: 'Video of Without sound (opens in a new tab)' });
  await expect(video).toHaveAttribute('rel', /noopener/);
  await expect(video).toHaveAttribute('target', '_blank');
  await expect(player.getByText('The words of this melody have not been added yet.')).toBeVisible();
  await expectFineEverywhere(page, 'video only');
  await page.goto(`/melodies?play=${await silent({ melodyText: TEXT })}`);
  await expect(player.getByText('Jangchub bardu')).toBeVisible();
  await expect(video).toBeHidden();
  await expectFineEverywhere(page, 'text only');

  const { id } = await addTimed(world);
  await page.route(`**/api/melodies/${id}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), seeksExactly: false } });
  });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/melodies?play=${id}`);
  await press(player, /Speed and repeats/);
  await expect(player.getByText(/^Loops and timings are approximate with this file/)).toBeVisible();
  await expectFineEverywhere(page, 'approximate');
});

test('everyone can time the lines, whatever comes of it', async ({ signedIn, world }) => {
  const { title } = await addTimed(world);
  const page = await signedIn(TEACHER);
  await openPlayer(page, title);
  const player = playerOf(page);
  await press(player, 'Time the lines');
  await player.getByText('LRC file', { exact: true }).click();
  const paste = async (lrc: string, said: string) => {
    await player.getByLabel('Or paste it here').fill(lrc);
    await press(player, 'Use these times');
    await expect(player.getByText(said)).toBeVisible();
    await expectFineEverywhere(page, said);
  };
  await paste('no times', 'No times were found in it.');
  await paste('[00:01]a\n[00:02]b\n[00:03]c\n[00:04]d', 'No line was found for “d”.');
  await player
    .locator('input[type=file][accept*=lrc]')
    .setInputFiles({ name: 'song.lrc', mimeType: 'text/plain', buffer: Buffer.alloc(4_000_001, 'x') });
  await expect(player.getByText('This file is too large to be an LRC file.')).toBeVisible();
  await expect(player.getByText('The times that were here have stayed.')).toBeVisible();
  await expect(player.getByText('3 of 3 lines timed')).toBeVisible();
  await expectFineEverywhere(page, 'too large');
  await paste('[00:01.10]a\n[00:02.20]b\n[00:03.30]c', '3 of 3 lines have got a time.');

  await page.route('**/api/melodies/*', (route) =>
    route.request().method() === 'PUT' ? route.abort('connectionreset') : route.continue(),
  );
  await press(player, 'Save timing');
  await expect(player.getByText('The timing could not be saved')).toBeVisible();
  await expectFineEverywhere(page, 'not saved');
  await press(player, 'Back to the words');
  await expect(page.getByRole('alertdialog')).toContainText('Leave without saving the times?');
  await expectFineEverywhere(page, 'leaving');
  await press(page.getByRole('alertdialog'), 'Leave');
  await press(player, 'Time the lines');
  await expect(player.getByText('Your unsaved times are here again')).toBeVisible();
  await expectFineEverywhere(page, 'unsaved times');
  await press(player, 'Discard them');
  await expect(page.getByRole('alertdialog')).toContainText('Discard the unsaved times?');
  await expectFineEverywhere(page, 'discarding');
  await press(page.getByRole('alertdialog'), 'Discard');
  await expect(player.getByText('Your unsaved times are here again')).toBeHidden();

  await page.unroute('**/api/melodies/*');
  await press(player, 'Play from the start');
  await press(player, /^0:01\.50? Jangchub/);
  await press(player, '0.1 s later');
  await pause(page);
  await press(player, 'Save timing');
  await expect(player.getByText('Timing saved.', { exact: true })).toBeVisible();
  // While it is there, the toast lies over the cross on a phone.
  const toast = page.getByText('Timing saved', { exact: true });
  await expect(toast).toBeVisible();
  await expect(toast).toBeHidden();
  await expectFineEverywhere(page, 'saved');
});
