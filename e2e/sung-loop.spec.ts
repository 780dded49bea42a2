import type { Page } from '@playwright/test';
import { TEACHER, expect, test, type Student, type World } from './fixtures.ts';
import { addMelody, openPlayer, pause, soundIn } from './player.ts';

const STARTS = [0.5, 2, 3.5, 5];
const NAMES = ['One', 'Two', 'Three', 'Four'];

type SignedIn = (person: Student | typeof TEACHER) => Promise<Page>;

/** The player of four timed lines, opened by a student. */
async function opened(signedIn: SignedIn, world: World, seconds = 8.4) {
  const melody = await addMelody(world, {
    text: NAMES.join('\n'),
    timings: STARTS.map((start, line) => ({ line, start })),
    seconds,
  });
  const page = await signedIn(await world.student());
  await openPlayer(page, melody.title);
  const player = page.getByRole('dialog');
  const line = (name: string) => page.locator('.sung-text li').filter({ hasText: name });
  const press = (name: string) => player.getByRole('button', { name, exact: true }).click();
  const loopLines = async (from: string, to: string) => {
    await press('Loop lines');
    await line(from).click();
    await line(to).click();
  };
  return { melody, page, player, line, press, loopLines, looping: player.getByText(/^Looping/) };
}

test('what the words say of a loop follows the loop itself', async ({ signedIn, world }) => {
  const { page, player, press, loopLines, looping, melody } = await opened(signedIn, world);
  await loopLines('Two', 'Three');
  await expect(looping).toHaveText('Looping from “Two” to “Three”.');
  await pause(page);
  await press('Clear Loop');
  await expect(looping).toBeHidden();

  await loopLines('Two', 'Two');
  await expect(looping).toHaveText('Looping “Two”.');
  await pause(page);
  const b = player.getByRole('slider', { name: 'B point' });
  await b.press('ArrowRight');
  await expect(looping).toBeHidden();
  await b.press('ArrowLeft');
  await expect(looping).toHaveText('Looping “Two”.');
  // It is the same loop tomorrow.
  await page.goto(`/melodies?play=${melody.id}`);
  await expect(looping).toHaveText('Looping “Two”.');
  await press('Set A Point');
  await expect(looping).toBeHidden();
});

test('the last line loops to the real end of the song', async ({ signedIn, world }) => {
  const { page, player, loopLines, looping } = await opened(signedIn, world);
  // The server says 8 seconds; it is chosen before any sound has come.
  await loopLines('Four', 'Four');
  await expect(player.getByRole('slider', { name: 'B point' })).toHaveAttribute(
    'aria-valuetext',
    '8.4 seconds',
  );
  await expect(looping).toHaveText('Looping “Four”.');
  await page.waitForFunction(
    () => (window as unknown as { sound: HTMLMediaElement }).sound.currentTime > 8.05,
    null,
    { polling: 'raf' },
  );
});

test('a line outside the loop is played, and the loop can be taken up again', async ({ signedIn, world }) => {
  const { page, player, line, loopLines, looping } = await opened(signedIn, world, 20);
  await loopLines('One', 'Two');
  await line('Two').click();
  await expect(looping).toBeVisible();
  await line('Four').click();
  await expect(line('Four')).toHaveAttribute('aria-current', 'true');
  await expect(looping).toBeHidden();
  await expect(player.getByText('The loop was let go.').first()).toBeVisible();
  const again = player.getByRole('button', { name: 'Loop again' });
  await again.press('Enter');
  await expect(looping).toHaveText('Looping from “One” to “Two”.');
  await expect(again).toBeHidden();
  await expect(player.getByRole('button', { name: 'Pause', exact: true })).toBeFocused();
  await expect.poll(async () => (await soundIn(page)).at).toBeLessThan(3.6);
  expect((await soundIn(page)).plays).toBe(true);
  // In the waveform and by arrows one stays within.
  await player.getByRole('slider', { name: /^Position/ }).press('End');
  await expect.poll(async () => (await soundIn(page)).at).toBeLessThan(3.6);
  await expect(looping).toBeVisible();
});

test('an address that names a moment leads there, whatever was looped before', async ({
  signedIn,
  world,
}) => {
  const { page, player, loopLines, looping, melody } = await opened(signedIn, world);
  await loopLines('One', 'One');
  await expect(looping).toBeVisible();
  await page.goto(`/melodies?play=${melody.id}&at=5`);
  await expect(player.getByRole('slider', { name: /^Position/ })).toHaveAttribute('aria-valuenow', '5');
  await expect(player.getByRole('button', { name: 'Loop again' })).toBeVisible();
});

test('timing lets a loop go, and focus is never lost to a button that has no more to do', async ({
  signedIn,
  world,
}) => {
  const { title } = await addMelody(world, {
    text: 'One\nTwo',
    timings: [
      { line: 0, start: 0.5 },
      { line: 1, start: 2 },
    ],
  });
  const page = await signedIn(TEACHER);
  await openPlayer(page, title);
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });
  await button('Loop lines').click();
  await page.locator('.sung-text li').filter({ hasText: 'One' }).click();
  await page.locator('.sung-text li').filter({ hasText: 'One' }).click();
  await expect(page.getByText('Looping “One”.')).toBeVisible();
  await button('Time the lines').click();
  await expect(page.getByRole('slider', { name: 'B point' })).toBeHidden();
  await pause(page);

  const staysOn = async (name: string) => {
    await expect(button(name)).toBeDisabled();
    await expect(button(name)).toBeFocused();
  };
  await button('Clear all times').press('Enter');
  await staysOn('Clear all times');
  await button('Undo').press('Enter');
  await staysOn('Undo');
  await button(/^0:02\.0 Two/).click();
  await button('Clear this time').press('Enter');
  await expect(button(/Two/).first()).toBeFocused();
  await button('Save timing').press('Enter');
  await expect(page.getByText('Timing saved.', { exact: true })).toBeVisible();
  await staysOn('Save timing');
  // Every line has had its turn: the large button keeps its focus as well.
  await button('Play before the next line').click();
  await expect.poll(async () => (await soundIn(page)).at).toBeGreaterThan(1);
  await button(/Tap as this line begins/).press('Enter');
  await expect(button(/Every line has had its turn/)).toBeFocused();
  await expect(button(/Every line has had its turn/)).toBeDisabled();
});
