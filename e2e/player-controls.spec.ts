import type { Page } from '@playwright/test';
import { wavFile } from '../src/testing/tone.ts';
import { expect, test, type World } from './fixtures.ts';
import { addMelody, openPlayer, soundIn } from './player.ts';

/** The player of a melody of 20 seconds, opened by a student. */
async function opened(
  signedIn: (person: { username: string; password: string }) => Promise<Page>,
  world: World,
  given: Parameters<typeof addMelody>[1] = {},
) {
  const melody = await addMelody(world, given);
  const page = await signedIn(await world.student());
  await openPlayer(page, melody.title);
  const player = page.getByRole('dialog');
  const press = (name: string) => player.getByRole('button', { name, exact: true }).click();
  return {
    page,
    player,
    melody,
    press,
    play: player.getByRole('button', { name: 'Play', exact: true }),
    position: player.getByRole('slider', { name: /^Position/ }),
    words: player.getByRole('region', { name: /^Words of/ }),
    a: player.getByRole('slider', { name: 'A point' }),
    b: player.getByRole('slider', { name: 'B point' }),
  };
}

test('one moves by pressing in the waveform, and by dragging, to its very ends', async ({
  signedIn,
  world,
}) => {
  const { page, position } = await opened(signedIn, world);
  const { x, y, width } = (await position.boundingBox())!;
  const at = (fraction: number) => [x + width * fraction, y + 40] as const;
  await page.mouse.click(...at(0.255));
  await expect(position).toHaveAttribute('aria-valuetext', '5 seconds of 20 seconds');
  await page.mouse.move(...at(0.255));
  await page.mouse.down();
  await page.mouse.move(...at(0.76), { steps: 5 });
  await expect(position).toHaveAttribute('aria-valuenow', '15');
  // Past the edge, and out of the waveform: it is still held.
  await page.mouse.move(x + width - 1, y + 300, { steps: 2 });
  await expect(position).toHaveAttribute('aria-valuenow', /^(19|20)$/);
  await page.mouse.move(0, y + 300, { steps: 2 });
  await expect(position).toHaveAttribute('aria-valuenow', '0');
  await page.mouse.up();
  await page.mouse.move(...at(0.5));
  await expect(position).toHaveAttribute('aria-valuenow', '0');
});

test('A, B and the arrows are keys from anywhere, and focus is back on Play', async ({ signedIn, world }) => {
  const { page, player, words, a, b, play, press } = await opened(signedIn, world);
  await expect(player.getByText('Spacebar play/pause · ESC closes').first()).toBeVisible();
  await words.focus();
  await page.keyboard.press('b');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('a');
  await expect(a).toHaveAttribute('aria-valuetext', '5 seconds');
  await expect(play).toBeFocused();

  // Refused: once it was read, the next space plays and sets nothing.
  await player.getByRole('button', { name: 'Set B Point' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(play).toBeFocused();
  await page.keyboard.press('Space');
  await expect.poll(async () => (await soundIn(page)).plays).toBe(true);
  await page.keyboard.press('Space');
  await expect(play).toBeVisible();

  await words.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('b');
  await expect(b).toHaveAttribute('aria-valuetext', /^1\d(\.\d)? seconds$/);
  await expect(play).toBeFocused();
  await page.keyboard.press('a');
  await expect(b).toBeHidden();
  await page.keyboard.press('ArrowRight');
  await press('Set B Point');
  await expect(b).toBeVisible();
  await expect(play).toBeFocused();
  await press('Clear Loop');
  await expect(a).toBeHidden();
  await expect(play).toBeFocused();
});

test('letters as keys can be switched off on this device', async ({ signedIn, world }) => {
  const { page, player, melody, words, a } = await opened(signedIn, world);
  const letters = player.getByRole('checkbox', { name: /set the points/ });
  await letters.uncheck();
  await words.focus();
  await page.keyboard.press('a');
  await page.keyboard.press('ArrowRight');
  await expect(a).toBeHidden();
  await page.goto(`/melodies?play=${melody.id}`);
  await expect(letters).not.toBeChecked();
  await letters.check();
  await words.focus();
  await page.keyboard.press('a');
  await expect(a).toBeVisible();
});

test('points move by a tenth of a second with buttons; stop and restart lead to A', async ({
  signedIn,
  world,
}) => {
  const { page, words, a, b, play, position, press } = await opened(signedIn, world);
  await words.focus();
  for (const key of ['ArrowRight', 'a', 'ArrowRight', 'b']) await page.keyboard.press(key);
  await press('A 0.1 s later');
  await press('A 0.1 s later');
  await expect(a).toHaveAttribute('aria-valuetext', '5.2 seconds');
  await press('A 0.1 s earlier');
  await expect(a).toHaveAttribute('aria-valuetext', '5.1 seconds');
  await press('B 0.1 s earlier');
  await expect(b).toHaveAttribute('aria-valuetext', '9.9 seconds');
  await position.press('End');
  await press('Restart');
  await expect.poll(() => soundIn(page)).toMatchObject({ plays: true });
  await expect.poll(async () => (await soundIn(page)).at).toBeGreaterThan(5.2);
  expect((await soundIn(page)).at).toBeLessThan(9.9);
  await press('Stop');
  await expect(play).toBeVisible();
  const { at, plays } = await soundIn(page);
  expect(at).toBeCloseTo(5.1, 2);
  expect(plays).toBe(false);
});

test('volume and speed go to their ends, and the button that can do no more keeps its focus', async ({
  signedIn,
  world,
}) => {
  const { page, player } = await opened(signedIn, world);
  const audio = (property: 'volume' | 'playbackRate') =>
    player.locator('audio').evaluate((element, name) => (element as HTMLAudioElement)[name], property);
  expect(await audio('volume')).toBe(0.7);
  const volume = player.getByRole('slider', { name: 'Volume' });
  await volume.press('ArrowRight');
  expect(await audio('volume')).toBeCloseTo(0.75);
  await volume.press('Home');
  expect(await audio('volume')).toBe(0);
  for (const [name, rate] of [
    ['Faster', 1.5],
    ['Slower', 0.5],
  ] as const) {
    const button = player.getByRole('button', { name, exact: true });
    await button.focus();
    for (let i = 0; i < 21; i += 1) await page.keyboard.press('Enter');
    expect(await audio('playbackRate')).toBe(rate);
    await expect(button).toBeDisabled();
    await expect(button).toBeFocused();
  }
  // So that Esc, and the space bar on a slider, still do what they say.
  await volume.press(' ');
  await expect(player.getByRole('button', { name: 'Pause' })).toBeVisible();
  await volume.press('Escape');
  await expect(player).toBeHidden();
});

test('where the sound is not available, focus is on the sentence that says so, and Esc closes', async ({
  signedIn,
  world,
}) => {
  const { page, player, play } = await opened(signedIn, world);
  await page.route('**/api/files/*type=audio', (route) => route.fulfill({ status: 404 }));
  await expect(play).toBeFocused();
  await page.keyboard.press('Space');
  await expect(player.getByRole('alert')).toBeFocused();
  await expect(play).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(player).toBeHidden();
});

test('a loop plays any whole number of times', async ({ signedIn, world }) => {
  const { page, player, melody } = await opened(signedIn, world);
  const list = player.getByLabel('Loop plays');
  await list.selectOption('another …');
  const field = player.getByLabel('Number of times');
  await expect(field).toHaveValue('4');
  await field.fill('12');
  await player.getByRole('button', { name: 'Once more' }).click();
  await expect(field).toHaveValue('13');
  await field.fill('0');
  await expect(player.getByText('A whole number from 1 to 999.')).toBeVisible();
  await field.press('Tab');
  await expect(field).toHaveValue('13');
  await expect(player.getByText('A whole number from 1 to 999.')).toBeHidden();
  // A letter, the space bar and Esc in it are its own.
  await field.press('a');
  await field.press('Escape');
  await expect(player.getByRole('slider', { name: 'A point' })).toBeHidden();
  await field.fill('999');
  const more = player.getByRole('button', { name: 'Once more' });
  await expect(more).toBeDisabled();
  await page.goto(`/melodies?play=${melody.id}`);
  await expect(field).toHaveValue('999');
  await list.selectOption('without end');
  await expect(field).toBeHidden();
  await list.selectOption('108 times');
  await page.goto(`/melodies?play=${melody.id}`);
  await expect(list).toHaveValue('108');
});

test('the lock screen’s keys reach the player, and the screen stays awake while it plays', async ({
  signedIn,
  world,
}) => {
  const melody = await addMelody(world);
  const page = await signedIn(await world.student());
  await page.addInitScript(() => {
    const handlers = new Map<string, MediaSessionActionHandler | null>();
    const original = navigator.mediaSession.setActionHandler.bind(navigator.mediaSession);
    navigator.mediaSession.setActionHandler = (action, handler) => {
      handlers.set(action, handler);
      original(action, handler);
    };
    let locks = 0;
    Object.defineProperty(navigator, 'wakeLock', {
      value: {
        request: () => {
          locks += 1;
          return Promise.resolve({
            release: () => {
              locks -= 1;
              return Promise.resolve();
            },
          });
        },
      },
    });
    Object.assign(window, { handlers, locks: () => locks });
  });
  await openPlayer(page, melody.title);
  const pressed = (action: MediaSessionAction, details = {}) =>
    page.evaluate(
      ([name, more]) => {
        const { handlers } = window as unknown as { handlers: Map<string, MediaSessionActionHandler> };
        handlers.get(name)!({ action: name, ...more });
      },
      [action, details] as const,
    );
  const session = () =>
    page.evaluate(() => {
      const { metadata, playbackState } = navigator.mediaSession;
      return { title: metadata?.title ?? null, artist: metadata?.artist ?? null, playbackState };
    });
  const locks = () => page.evaluate(() => (window as unknown as { locks: () => number }).locks());
  expect(await session()).toEqual({ title: null, artist: null, playbackState: 'none' });
  expect(await locks()).toBe(0);

  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect.poll(session).toEqual({ title: melody.title, artist: 'Khandro-la', playbackState: 'playing' });
  await expect.poll(locks).toBe(1);
  await pressed('seekto', { seekTime: 15 });
  await expect.poll(async () => (await soundIn(page)).at).toBeGreaterThanOrEqual(15);
  await pressed('pause');
  await expect.poll(async () => (await soundIn(page)).plays).toBe(false);
  await expect.poll(locks).toBe(0);
  await pressed('seekbackward', { seekOffset: 10 });
  await pressed('play');
  await expect.poll(() => soundIn(page)).toMatchObject({ plays: true });
  expect((await soundIn(page)).at).toBeLessThan(15);
  await pressed('stop');
  await expect.poll(() => soundIn(page)).toEqual({ at: 0, plays: false });
  await pressed('play');
  await expect.poll(locks).toBe(1);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(session).toEqual({ title: null, artist: null, playbackState: 'none' });
  expect(await locks()).toBe(0);
});

test('the waveform is the server’s; without one there is a placeholder, greyed, that says so', async ({
  signedIn,
  world,
}) => {
  // Loud in its first half, soft in its second.
  const audio = wavFile(4, 8_000, (at) => (at < 2 ? 30_000 : 2_000) * Math.sin(2 * Math.PI * 220 * at));
  const { page, player, melody } = await opened(signedIn, world, { audio });
  const said = player.getByText('The waveform of this melody is not available.');
  await expect.poll(() => drawn(page)).toMatchObject({ left: 'high', right: 'low' });
  await expect(said).toBeHidden();
  const { ink } = await drawn(page);

  await page.route(`**/api/melodies/${melody.id}`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), peaks: null } });
  });
  await page.reload();
  await expect(said).toBeVisible();
  const first = await drawn(page);
  expect(first).toMatchObject({ left: 'high', right: 'high' });
  expect(first.ink).toBeLessThan(ink);
  await page.reload();
  await expect(said).toBeVisible();
  expect(await drawn(page)).toEqual(first);
});

/** Whether bars reach to a third of the height in either half, and how strong their colour is. */
const drawn = (page: Page) =>
  page.locator('[role=dialog] canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { width, height } = canvas;
    const context = canvas.getContext('2d')!;
    const strongest = (x: number, y: number) =>
      context
        .getImageData(x, y, Math.floor(width * 0.4), 1)
        .data.reduce((most, value, index) => (index % 4 === 3 ? Math.max(most, value) : most), 0);
    const half = (x: number) => (strongest(x, Math.round(height / 3)) > 0 ? 'high' : 'low');
    return {
      left: half(0),
      right: half(Math.ceil(width * 0.55)),
      ink: strongest(0, Math.round(height / 2)),
    };
  });
