import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test, type World } from './fixtures.ts';
import { addMelodyWithText } from './player.ts';

test.use({ sharesWorld: true });

const FIRST = 'Song of the Valley';

test('hydration causes no errors and no layout shift', async ({ signedIn, visitor, world }) => {
  await test.step('the library stays in place during hydration, in both themes and text sizes', async () => {
    const student = await fill(world);
    for (const [colorScheme, textSize, width] of [
      ['light', 'normal', 1440],
      ['dark', 'larger', 320],
    ] as const) {
      const page = await signedIn(student, { colorScheme, viewport: { width, height: 800 } });
      const said = collectConsole(page);
      await page.addInitScript((size) => localStorage.setItem('text-size', size), textSize);
      const program = await hold(page);
      await page.goto('/melodies', { waitUntil: 'commit' });
      const card = page.getByRole('listitem').filter({ hasText: FIRST });
      await expect(card.getByRole('button', { name: `Play ${FIRST}` })).toBeVisible();
      await page.evaluate(() => document.fonts.ready);
      const before = await card.boundingBox();
      await card.evaluate((element) => element.setAttribute('data-from-server', ''));
      program.release();
      await isTakenOver(page);
      await expect(page.locator('[data-from-server]')).toHaveText(new RegExp(FIRST));
      expect(await card.boundingBox()).toEqual(before);
      await expect(page).toHaveTitle('Sacred Melodies · Yangchen');
      expect(said).toEqual([]);
    }
  });

  await test.step('a player opened by URL shows the melody’s words before the scripts load', async () => {
    const text = 'བཀྲ་ཤིས་བདེ་ལེགས།\nTashi delek\nen: May all be well\n\nLadies and lamas';
    const timings = [
      { line: 1, start: 2 },
      { line: 4, start: 5 },
    ];
    const { id, title } = await addMelodyWithText(world, { text, timings });
    const page = await signedIn(await world.student());
    const said = collectConsole(page);
    const program = await hold(page);
    await page.goto(`/melodies?play=${id}`, { waitUntil: 'commit' });
    const words = page.getByRole('region', { name: `Words of ${title}` });
    const place = async (line: string) => words.getByText(line).boundingBox();
    await expect(words.getByText('Tashi delek')).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    const before = await Promise.all(['Tashi delek', 'Ladies and lamas'].map(place));
    program.release();
    await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeFocused();
    expect(await Promise.all(['Tashi delek', 'Ladies and lamas'].map(place))).toEqual(before);
    expect(said).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(words).toBeHidden();
    await expect(page.getByRole('heading', { name: 'Sacred Melodies' })).toBeVisible();
  });

  await test.step('the sign-in page stays in place during hydration, on a phone and on a desktop', async () => {
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 1440, height: 900 },
    ]) {
      const page = await visitor({ viewport });
      // Delays the page's scripts until the server-rendered page has been measured.
      const program = await hold(page);
      await page.goto('/', { waitUntil: 'commit' });
      const link = page.getByRole('link', { name: 'Forgot your password?' });
      await expect(link).toBeVisible();
      await page.evaluate(() => document.fonts.ready);
      const before = await link.boundingBox();
      program.release();
      await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible();
      expect(await link.boundingBox()).toEqual(before);
      const shift = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            new PerformanceObserver((list) =>
              resolve(
                list
                  .getEntries()
                  .reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0),
              ),
            ).observe({ type: 'layout-shift', buffered: true });
            // If nothing shifts, no entry is reported, so this resolves to 0 after 300 ms.
            setTimeout(() => resolve(0), 300);
          }),
      );
      expect(shift).toBeLessThan(0.001);
    }
  });
});

test('the library is usable before hydration and readable without scripts', async ({ signedIn, world }) => {
  const student = await fill(world);
  const page = await signedIn(student);
  const program = await hold(page);
  await page.route('**/api/files/*type=image', (route) => route.abort());
  await page.goto('/melodies', { waitUntil: 'commit' });
  const picture = page.getByRole('listitem').filter({ hasText: FIRST }).locator('img');
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.complete)).toBe(true);
  await page.getByLabel('Search melodies').fill('valley');
  await page.getByRole('button', { name: `Play ${FIRST}` }).click();
  program.release();
  await isTakenOver(page);
  await expect(page.getByRole('button', { name: `Pause ${FIRST}` })).toBeVisible();
  await expect(page.getByLabel('Search melodies')).toHaveValue('valley');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([FIRST]);
  // A lotus replaces the picture that failed to load.
  await expect(picture).toHaveCount(0);

  await test.step('the library reports that its scripts failed to load, and still shows its cards', async () => {
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto('/melodies');
    await expect(page.getByRole('alert')).toHaveText('This page could not be loaded. Please reload it.');
    await expect(page.getByRole('heading', { name: FIRST })).toBeVisible();
  });

  await test.step('the library shows its first cards if JavaScript is off', async () => {
    const plain = await signedIn(student, { javaScriptEnabled: false });
    await plain.goto('/melodies');
    await expect(plain.getByRole('heading', { name: 'Sacred Melodies' })).toBeVisible();
    await expect(plain.getByRole('heading', { name: FIRST })).toBeVisible();
  });
});

/** Collects what the page writes to its console from now on. */
function collectConsole(page: Page) {
  const said: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    // Ignores Playwright's message about the blocked service worker, which appears only in a slow test.
    if (text !== 'Service Worker registration blocked by Playwright') said.push(text);
  });
  return said;
}

/** Delays the page's scripts until `release()` is called. */
async function hold(page: Page) {
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/*.js', async (route) => {
    await held.promise;
    await route.continue();
  });
  return { release: () => held.resolve() };
}

/**
 * Waits until React has hydrated the page. Nothing on screen shows this, but React adds properties to elements.
 */
const isTakenOver = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() =>
        Object.keys(document.querySelector('#root button') ?? {}).some((key) =>
          key.startsWith('__reactProps'),
        ),
      ),
    )
    .toBe(true);

/** Creates a student, and melodies of a level that only this student has. */
async function fill(world: World) {
  const name = `Level ${crypto.randomUUID().slice(0, 8)}`;
  const level = (await world.teacher.post('/api/admin/transmission-levels', { name })).body as { id: number };
  const student = await world.student({ firstName: 'Pema', lastName: 'Lhamo' }, [name]);
  const sample = (name: string) => readFile(join(import.meta.dirname, '../src/testing/audio', name));
  for (const title of ['ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།', 'Second', FIRST]) {
    const { status } = await world.teacher.form('/api/melodies', {
      title,
      description: 'Sung in the morning, slowly, and once more when the lamps are lit. '.repeat(3),
      transmissionLevelId: level.id,
      audioFile: { bytes: await sample('om-voice.mp3'), name: 'om.mp3' },
      thumbnail: { bytes: PICTURE, name: 'valley.png' },
    });
    expect(status).toBe(201);
  }
  return student;
}

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC',
  'base64',
);
