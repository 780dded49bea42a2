import type { Locator, Page } from '@playwright/test';
import { tone } from '../src/testing/tone.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';

const UNAVAILABLE =
  'Audio Not Available: This audio file cannot be loaded. It may have been uploaded in a different environment.';

test('a student opens the player from the card, practises with the keyboard, and is back on the button', async ({
  signedIn,
  world,
}) => {
  const melody = await addMelody(world, { title: 'Homage' });
  const page = await signedIn(await world.student());
  await page.goto('/melodies');
  const button = page.getByRole('button', { name: 'Advanced Player of Homage', exact: true });
  await button.focus();
  await page.keyboard.press('Enter');
  const player = page.getByRole('dialog', { name: 'Homage' });
  await expect(player.getByText('namo gurubhya')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`play=${melody.id}`));
  await expect(player.getByRole('button', { name: 'Play' })).toBeFocused();

  // On the button, space presses it: once, not twice.
  await page.keyboard.press('Space');
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible();
  await expectToMove(page);
  await player.getByRole('region', { name: 'Words of Homage' }).focus();
  await page.keyboard.press('Space');
  await expect(player.getByRole('button', { name: 'Play' })).toBeVisible();

  // On another control that uses it, it is that control's.
  await player.getByRole('button', { name: 'Set A Point' }).focus();
  await page.keyboard.press('Space');
  await expect(player.getByRole('slider', { name: 'A point' })).toBeVisible();
  await expect(player.getByRole('button', { name: 'Play' })).toBeFocused();
  await player.getByLabel('Loop plays').focus();
  await page.keyboard.press('Escape');
  await expect(player).toBeVisible();

  await player.getByRole('button', { name: 'Play' }).focus();
  await page.keyboard.press('Escape');
  await expect(player).toBeHidden();
  await expect(button).toBeFocused();
  await expect(page).toHaveURL(/melodies$/);
});

test('the way back closes it and silences it, and its address opens it', async ({ signedIn, world }) => {
  const melody = await addMelody(world, { title: 'Linked' });
  const page = await signedIn(await world.student());
  await page.goto('/melodies');
  await page.getByRole('button', { name: 'Advanced Player of Linked', exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expectToMove(page);
  const audio = await page.evaluateHandle(
    () => document.querySelector('[role=dialog] audio') as HTMLAudioElement,
  );
  await page.goBack();
  await expect(page.getByRole('dialog')).toBeHidden();
  expect(await audio.evaluate((each) => [each.paused, each.hasAttribute('src')])).toEqual([true, false]);

  await page.goto(`/melodies?play=${melody.id}`);
  await expect(page.getByRole('dialog', { name: 'Linked' })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Advanced Player of Linked', exact: true })).toBeFocused();

  await page.goto('/melodies?play=999999');
  await expect(page.getByText('This melody is not in your library.')).toBeVisible();
});

test('no sound is fetched before play; a loop confines it, and what was chosen is there after a reload', async ({
  signedIn,
  world,
}) => {
  const melody = await addMelody(world, { title: 'Looped' });
  const page = await signedIn(await world.student());
  const fetched: string[] = [];
  page.on('request', (request) => request.url().includes('type=audio') && fetched.push(request.url()));
  await page.goto(`/melodies?play=${melody.id}`);
  const player = page.getByRole('dialog');
  const position = player.getByRole('slider', { name: 'Position in Looped' });
  await expect(position).toBeVisible();
  await position.press('End');
  await expect(position).toHaveAttribute('aria-valuetext', '12 seconds of 12 seconds');
  await position.press('Home');
  await position.press('ArrowRight');
  expect(fetched).toEqual([]);

  await player.getByRole('button', { name: 'Set A Point' }).click();
  // Still at A: B would not be after it.
  await player.getByRole('button', { name: 'Set B Point' }).click();
  const alert = page.getByRole('alertdialog');
  await expect(alert.getByRole('heading')).toHaveText('B point must be after A point');
  // Until then a key is still the player's.
  await expect(alert.getByRole('button', { name: 'OK' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(alert).toBeHidden();
  await expect(player).toBeVisible();

  await position.press('ArrowRight');
  await player.getByRole('button', { name: 'Set B Point' }).click();
  const b = player.getByRole('slider', { name: 'B point' });
  await b.focus();
  for (let i = 0; i < 4; i += 1) await page.keyboard.press('PageDown');
  await page.keyboard.press('ArrowLeft');
  await expect(b).toHaveAttribute('aria-valuetext', '5.9 seconds');
  await player.getByRole('button', { name: 'Faster' }).click();
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await expectToMove(page);
  const heard = await sample(page, 3_000);
  expect(Math.min(...heard)).toBeGreaterThanOrEqual(4.95);
  // How far beyond B is the bench's to measure; the song goes on to its twelfth second.
  expect(Math.max(...heard)).toBeLessThan(9);
  expect(heard.some((at, index) => index > 0 && at < heard[index - 1]!)).toBe(true);
  // Nor can one go out of it.
  await position.press('End');
  await expect.poll(async () => Math.max(...(await sample(page, 300)))).toBeLessThan(9);

  await page.reload();
  await expect(player.getByText('1.05×').first()).toBeAttached();
  await expect(b).toHaveAttribute('aria-valuetext', '5.9 seconds');
  await player.getByRole('button', { name: 'Clear Loop' }).click();
  await expect(b).toBeHidden();
});

test('a handle is dragged, and never past the other', async ({ signedIn, world }) => {
  const melody = await addMelody(world, { title: 'Dragged' });
  const page = await signedIn(await world.student());
  await page.goto(`/melodies?play=${melody.id}`);
  const player = page.getByRole('dialog');
  const position = player.getByRole('slider', { name: 'Position in Dragged' });
  await player.getByRole('button', { name: 'Set A Point' }).click();
  await position.press('ArrowRight');
  await player.getByRole('button', { name: 'Set B Point' }).click();
  const [a, b] = [
    player.getByRole('slider', { name: 'A point' }),
    player.getByRole('slider', { name: 'B point' }),
  ];
  await drag(page, b, position, 0.75);
  await expect(b).toHaveAttribute('aria-valuenow', /^(8\.[5-9]|9(\.[0-5])?)$/);
  await drag(page, a, position, 0.99);
  await expect.poll(async () => valueOf(b)).toBeGreaterThan(await valueOf(a));
  expect((await valueOf(b)) - (await valueOf(a))).toBeLessThan(0.25);
});

test('after the passage it is the student’s turn, as often as was chosen', async ({ signedIn, world }) => {
  const melody = await addMelody(world, { title: 'Echo' });
  const page = await signedIn(await world.student());
  await page.goto(`/melodies?play=${melody.id}`);
  const player = page.getByRole('dialog');
  await makeShortLoop(player);
  await player.getByLabel('Loop plays').selectOption('2');
  await player.getByLabel('Then your turn').selectOption('2');
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(player.getByText('Your turn · ')).toBeVisible();
  expect(await audioOf(page, 'paused')).toBe(true);
  await expect(player.getByText('2 of 2').first()).toBeVisible();
  await expect(player.getByText('done')).toBeVisible();
  await expect(player.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
});

test('a level that is revoked in the middle ends the playing, and says so', async ({ signedIn, world }) => {
  const student = await world.student();
  const melody = await addMelody(world, { title: 'Revoked', audio: tone(600, 220, 16_000) });
  const page = await signedIn(student);
  await page.goto(`/melodies?play=${melody.id}`);
  const player = page.getByRole('dialog');
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await expectToMove(page);
  const { id: levelId } = await world.level('Open to All');
  const { status } = await world.teacher.delete(
    `/api/admin/users/${student.id}/transmission-access/${levelId}`,
  );
  expect(status).toBe(200);
  // What has come already may be heard to its end; what is asked for now is refused.
  const position = player.getByRole('slider', { name: 'Position in Revoked' });
  await position.press('End');
  await position.press('PageDown');
  await expect(player.getByRole('alert')).toHaveText(UNAVAILABLE);
  await expect(player.getByRole('button', { name: 'Play', exact: true })).toBeDisabled();
});

test('a lost connection is said to be lost, and playing resumes when it is tried again', async ({
  signedIn,
  world,
}) => {
  const melody = await addMelody(world, { title: 'Lost' });
  const page = await signedIn(await world.student());
  await page.route('**/api/files/*type=audio', (route) => route.abort('connectionreset'));
  await page.goto(`/melodies?play=${melody.id}`);
  const player = page.getByRole('dialog');
  await player.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(player.getByRole('alert')).toContainText('The connection was lost.');
  await expect(player.getByText(UNAVAILABLE)).toBeHidden();
  await page.unroute('**/api/files/*type=audio');
  await player.getByRole('button', { name: 'Try again' }).click();
  await expectToMove(page);
  await expect(player.getByText('The connection was lost.')).toBeHidden();
});

test('from the player one goes to sing the melody oneself, and back', async ({ signedIn, world }) => {
  const melody = await addMelody(world, { title: 'Sung' });
  const page = await signedIn(await world.student());
  await page.goto(`/melodies?play=${melody.id}`);
  await page.getByRole('link', { name: 'Practise here' }).click();
  await expect(page.getByLabel('Melody', { exact: false }).first()).toHaveValue(String(melody.id));
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Sung');
  await expect(page.getByText('namo gurubhya')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the player' }).click();
  await expect(page.getByRole('dialog', { name: 'Sung' })).toBeVisible();

  const teacher = await signedIn(TEACHER);
  await teacher.goto(`/melodies?play=${melody.id}`);
  await expect(teacher.getByRole('dialog', { name: 'Sung' })).toBeVisible();
  await expect(teacher.getByRole('link', { name: 'Practise here' })).toBeHidden();
});

const song = tone(12);

async function addMelody(world: World, { title, audio = song }: { title: string; audio?: Buffer | null }) {
  const { id } = await world.level('Open to All');
  const { status, body } = await world.teacher.form('/api/melodies', {
    title,
    transmissionLevelId: id,
    melodyText: 'namo gurubhya\nབླ་མ་མཁྱེན་ནོ།',
    ...(audio && { audioFile: { bytes: audio, name: 'song.wav' } }),
  });
  expect(status).toBe(201);
  return body as { id: number };
}

/** From 5 to 6 seconds. */
async function makeShortLoop(player: Locator) {
  const position = player.getByRole('slider', { name: /Position/ });
  await position.press('Home');
  await position.press('ArrowRight');
  await player.getByRole('button', { name: 'Set A Point' }).click();
  await position.press('ArrowRight');
  await player.getByRole('button', { name: 'Set B Point' }).click();
  const b = player.getByRole('slider', { name: 'B point' });
  for (let i = 0; i < 4; i += 1) await b.press('PageDown');
}

const audioOf = (page: Page, property: 'currentTime' | 'paused') =>
  page.evaluate(
    (name) => (document.querySelector('[role=dialog] audio') as HTMLAudioElement)[name],
    property,
  );

async function expectToMove(page: Page) {
  const before = (await audioOf(page, 'currentTime')) as number;
  await expect.poll(() => audioOf(page, 'currentTime')).not.toBe(before);
}

/** Where it was, frame by frame. */
const sample = (page: Page, milliseconds: number) =>
  page.evaluate(async (time) => {
    const audio = document.querySelector('[role=dialog] audio') as HTMLAudioElement;
    const seen: number[] = [];
    const until = performance.now() + time;
    while (performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      seen.push(audio.currentTime);
    }
    return seen;
  }, milliseconds);

async function drag(page: Page, handle: Locator, over: Locator, fraction: number) {
  const from = (await handle.boundingBox())!;
  const whole = (await over.boundingBox())!;
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(whole.x + whole.width * fraction, from.y + 5, { steps: 8 });
  await page.mouse.up();
}

const valueOf = async (slider: Locator) => Number(await slider.getAttribute('aria-valuenow'));
