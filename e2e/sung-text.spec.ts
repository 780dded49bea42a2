import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { copied } from './clipboard.ts';
import { expectAccessible, expectNoSidewaysScroll } from './axe.ts';
import { TEACHER, expect, test } from './fixtures.ts';
import { addMelody, linesLit, openPlayer, pause, setRate, soundIn } from './player.ts';

const TEXT = [
  'bo: སངས་རྒྱས་ཆོས་དང་ཚོགས་ཀྱི་མཆོག་རྣམས་ལ།',
  'Sangye chö dang tsok kyi chok nam la',
  'en: In the Buddha, the Dharma and the supreme assembly',
  'bo: བྱང་ཆུབ་བར་དུ་བདག་ནི་སྐྱབས་སུ་མཆི།',
  'Jangchub bardu dak ni kyab su chi',
  'en: I take refuge until awakening',
  '',
  'bo: བདག་གིས་སྦྱིན་སོགས་བགྱིས་པའི་བསོད་ནམས་ཀྱིས།',
  'Dak gi jin sok gyi pe sönam kyi',
  'en: By the merit of my giving and the rest',
].join('\n');
const LINES = [0, 3, 7];
const STARTS = [0.5, 2, 3.5];
const timings = LINES.map((line, i) => ({ line, start: STARTS[i]! }));

const line = (page: Page, words: string) => page.locator('.sung-text li').filter({ hasText: words });

for (const rate of [1, 0.5])
  test(`at ${rate} times the speed the line that is sung is lit`, async ({ signedIn, world }) => {
    const { title } = await addMelody(world, { text: TEXT, timings });
    const page = await signedIn(await world.student());
    await openPlayer(page, title);
    await expect(page.locator('[aria-current=true]')).toHaveCount(0);
    const watched = linesLit(page, STARTS, 4);
    await page.getByRole('button', { name: /Play from “Sangye/ }).click();
    await setRate(page, rate);
    const lit = await watched;
    expect(lit.map(({ line }) => line)).toEqual([0, 1, 2]);
    // The first was pressed, and is lit before its sound has come.
    for (const { framesLate, secondsEarly } of lit.slice(1)) {
      // As many as there are in 200 ms, on a machine that keeps up.
      expect(framesLate).toBeLessThanOrEqual(12);
      expect(secondsEarly).toBeLessThanOrEqual(0.2);
    }
    await expect(line(page, 'Dak gi jin')).toHaveAttribute('aria-current', 'true');
    await expect(page.locator('.sung-text [aria-current]')).toHaveCount(1);
  });

test('pressing a timed line plays it, by touch, on its words and by keyboard', async ({
  signedIn,
  world,
}) => {
  const { title } = await addMelody(world, { text: TEXT, timings });
  const page = await signedIn(await world.student());
  await openPlayer(page, title);
  await line(page, 'Dak gi jin').getByText('Dak gi jin').click();
  await expect.poll(() => soundIn(page)).toMatchObject({ plays: true });
  // Wanted at once, and moved there once something of it has come.
  await expect.poll(async () => (await soundIn(page)).at).toBeGreaterThanOrEqual(3.5);
  await page.getByRole('button', { name: /Play from “Jangchub/ }).focus();
  await page.keyboard.press('Enter');
  await expect(line(page, 'Jangchub')).toHaveAttribute('aria-current', 'true');
  await pause(page);
  const { at } = await soundIn(page);
  await expect(line(page, at < 3.5 ? 'Jangchub' : 'Dak gi jin')).toHaveAttribute('aria-current', 'true');
});

test('two lines make a loop, by keyboard too, and it is said which', async ({ signedIn, world }) => {
  const { title } = await addMelody(world, { text: TEXT, timings });
  const page = await signedIn(await world.student());
  await openPlayer(page, title);
  const toggle = page.getByRole('button', { name: 'Loop lines' });
  await toggle.focus();
  await page.keyboard.press('Enter');
  await expect(toggle).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByText('Choose the line where the loop begins.')).toBeVisible();
  // The later one first: the loop is the same.
  await page.getByRole('button', { name: /Begin the loop with “Jangchub/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^From “Jangchub/)).toBeVisible();
  await page.getByRole('button', { name: /End the loop with “Sangye/ }).press('Enter');
  await expect(page.getByText(/^Looping from “Sangye.*to “Jangchub/)).toBeVisible();
  await expect(toggle).toHaveAttribute('aria-pressed', 'false');
  await expect(line(page, 'Jangchub')).toHaveAttribute('aria-current', 'true');
  // It comes round to the first line, and never reaches the third.
  await expect(line(page, 'Sangye')).toHaveAttribute('aria-current', 'true');
  await expect(line(page, 'Jangchub')).toHaveAttribute('aria-current', 'true');
  await expect(line(page, 'Sangye')).toHaveAttribute('aria-current', 'true');
  expect((await soundIn(page)).plays).toBe(true);
});

test('layers are put out and stay out on this device, but never all', async ({ signedIn, world }) => {
  const { title } = await addMelody(world, { text: TEXT, timings });
  const page = await signedIn(await world.student());
  await openPlayer(page, title);
  const box = (name: string) => page.getByRole('checkbox', { name });
  await page.getByText('Tibetan', { exact: true }).click();
  await page.getByText('Translation', { exact: true }).click();
  await expect(page.getByText('I take refuge until awakening')).toHaveCount(0);
  await expect(page.locator('.sung-text :lang(bo)')).toHaveCount(0);
  await box('Phonetics').press(' ');
  await expect(box('Phonetics')).toBeChecked();
  await expect(page.getByText('Jangchub bardu')).toBeVisible();
  await openPlayer(page, title);
  await expect(page.getByText('Jangchub bardu')).toBeVisible();
  await expect(box('Tibetan')).not.toBeChecked();
  await expect(page.getByText('I take refuge until awakening')).toHaveCount(0);
});

test('copied text is as it was typed', async ({ signedIn, world }) => {
  const { title } = await addMelody(world, { text: TEXT });
  const page = await signedIn(await world.student(), { permissions: ['clipboard-write'] });
  await openPlayer(page, title);
  const words = page.getByText('Jangchub bardu');
  await expect(words).toHaveCSS('text-transform', 'uppercase');
  const copy = async (from: string, to: string) => {
    await page.evaluate(
      ([first, last]) => {
        const at = (text: string) =>
          [...document.querySelectorAll('[data-line]')].find((part) => part.textContent?.includes(text))!;
        getSelection()!.setBaseAndExtent(at(first!).firstChild!, 0, at(last!), 1);
      },
      [from, to],
    );
    await page.keyboard.press('Control+c');
    return copied(page);
  };
  expect(await copy('Jangchub', 'Jangchub')).toBe('Jangchub bardu dak ni kyab su chi');
  expect(await copy('སངས་རྒྱས', 'By the merit')).toBe(TEXT);
});

test('words without times are all there, with nothing to press', async ({ signedIn, world }) => {
  const { title } = await addMelody(world, { text: 'om: mani\n\nbo: ཨོཾ།\nPadme' });
  const page = await signedIn(await world.student());
  await openPlayer(page, title);
  await expect(page.locator('.sung-text [data-line]')).toHaveText(['om: mani', 'ཨོཾ།', 'Padme']);
  await expect(page.locator('.sung-text button')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Loop lines' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Time the lines' })).toHaveCount(0);
});

test('the reader’s own scrolling is left alone until the reader comes back', async ({ signedIn, world }) => {
  const many = Array.from({ length: 40 }, (_, i) => `Line ${i}`);
  const { title } = await addMelody(world, {
    text: many.join('\n\n'),
    timings: many.map((_, i) => ({ line: i * 2, start: i * 0.3 })),
  });
  const page = await signedIn(await world.student(), { reducedMotion: 'reduce' });
  await openPlayer(page, title);
  await page.getByRole('button', { name: 'Play from “Line 0”, 0:00' }).click();
  // The text goes along.
  await expect.poll(async () => (await soundIn(page)).at).toBeGreaterThan(4.5);
  await expect(page.locator('.sung-text [aria-current]')).toBeInViewport();
  await expect(line(page, 'Line 0')).not.toBeInViewport();
  await page.mouse.move(300, 400);
  await page.mouse.wheel(0, -3_000);
  const back = page.getByRole('button', { name: 'Back to the line being sung' });
  await expect(back).toBeVisible();
  await expect.poll(async () => (await soundIn(page)).at).toBeGreaterThan(9);
  await expect(page.locator('.sung-text [aria-current]')).not.toBeInViewport();
  await back.click();
  await expect(page.locator('.sung-text [aria-current]')).toBeInViewport();
  await expect(back).toHaveCount(0);
});

test('the teacher taps as lines begin, puts times right, and saves what students then see', async ({
  signedIn,
  world,
}) => {
  const { title, stored } = await addMelody(world, { text: TEXT });
  const page = await signedIn(TEACHER);
  await openPlayer(page, title);
  await page.getByRole('button', { name: 'Time the lines' }).click();
  await expect(page.getByText('0 of 3 lines timed')).toBeVisible();
  await page.keyboard.press('t');
  await expect.poll(async () => (await soundIn(page)).at).toBeGreaterThan(0.5);
  await page.getByRole('button', { name: /Tap as this line begins.*Sangye/ }).click();
  await expect(page.getByText('1 of 3 lines timed')).toBeVisible();
  await expect.poll(async () => (await soundIn(page)).at).toBeGreaterThan(1.5);
  await page.keyboard.press('t');
  await page.keyboard.press('u');
  await expect(page.getByText('1 of 3 lines timed')).toBeVisible();
  await page.getByRole('button', { name: /Tap as this line begins.*Jangchub/ }).press('Enter');
  await expect.poll(async () => (await soundIn(page)).at).toBeGreaterThan(2.5);
  await page.getByRole('button', { name: /Tap as this line begins.*Dak gi/ }).press(' ');
  await expect(page.getByText('3 of 3 lines timed')).toBeVisible();
  await pause(page);
  const row = page.getByRole('button', { name: /^0:0\d\.\d+ Jangchub/ });
  const before = await row.textContent();
  await row.click();
  await page.getByRole('button', { name: '0.1 s later' }).click();
  await expect(row).not.toHaveText(before!);
  expect((await stored()).timings).toBeNull();

  await page.getByRole('button', { name: 'Save timing' }).click();
  await expect(page.getByText('Timing saved.', { exact: true })).toBeVisible();
  const saved = (await stored()).timings!;
  expect(saved.map((each) => each.line)).toEqual(LINES);
  expect(saved.map(({ start }) => start)).toEqual(saved.map(({ start }) => start).toSorted((a, b) => a - b));

  await page.getByRole('button', { name: 'Back to the words' }).click();
  // It is lit until the next line begins, which was tapped a moment later.
  await Promise.all([
    page.waitForFunction(
      () => document.querySelector('.sung-text [aria-current]')?.textContent.includes('Jangchub'),
      null,
      { polling: 'raf' },
    ),
    page.getByRole('button', { name: /Play from “Jangchub/ }).click(),
  ]);
});

test('unsaved times are asked about, kept on the device, and a refusal loses none', async ({
  signedIn,
  world,
}) => {
  const { title, stored } = await addMelody(world, { text: TEXT });
  const page = await signedIn(TEACHER);
  await openPlayer(page, title);
  await page.getByRole('button', { name: 'Time the lines' }).click();
  await page.getByText('LRC file', { exact: true }).click();
  await page.getByLabel('Or paste it here').fill('[00:01.00]sangye\n[00:02]b\n[00:03]c\n[00:04]d');
  await page.getByRole('button', { name: 'Use these times' }).click();
  await expect(page.getByText('3 of 3 lines have got a time.')).toBeVisible();
  await expect(page.getByText('No line was found for “d”.')).toBeVisible();
  await page.getByLabel('Or paste it here').fill('no times at all');
  await page.getByRole('button', { name: 'Use these times' }).click();
  await expect(page.getByText('No times were found in it.')).toBeVisible();
  await expect(page.getByText('3 of 3 lines timed')).toBeVisible();

  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Save timing' }).click();
  await expect(page.getByText('The timing could not be saved')).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Back to the words' }).click();
  await expect(page.getByText('Leave without saving the times?')).toBeVisible();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();

  page.on('dialog', (dialog) => void dialog.accept());
  await openPlayer(page, title);
  await page.getByRole('button', { name: 'Time the lines' }).click();
  await expect(page.getByText('Your unsaved times are here again')).toBeVisible();
  await page.getByRole('button', { name: 'Save timing' }).click();
  const saved = page.getByText('Timing saved.', { exact: true });
  await expect(saved).toBeVisible();
  expect((await stored()).timings?.map(({ start }) => start)).toEqual([1, 2, 3]);

  await test.step('a file that is refused does not read as saved, and does not stand there as chosen', async () => {
    await page.getByText('LRC file', { exact: true }).click();
    await page.locator('input[type=file][accept*=lrc]').setInputFiles({
      name: 'old.lrc',
      mimeType: 'text/plain',
      buffer: Buffer.from('[00:09]Sangyé', 'latin1'),
    });
    const refusal = page.getByRole('alert').filter({ hasText: '“old.lrc” was not taken.' });
    await expect(refusal).toContainText('It is not saved as UTF-8. Please save it as UTF-8');
    await expect(saved).toBeHidden();
    await expect(page.getByRole('button', { name: 'Remove old.lrc' })).toHaveCount(0);
    await expect(page.getByText('3 of 3 lines timed')).toBeVisible();
    expect((await stored()).timings?.map(({ start }) => start)).toEqual([1, 2, 3]);
  });
});

test('what is changed while times are being saved stays on the device', async ({ signedIn, world }) => {
  const { title, stored } = await addMelody(world, { text: TEXT });
  const page = await signedIn(TEACHER);
  await openPlayer(page, title);
  await page.getByRole('button', { name: 'Time the lines' }).click();
  await page.getByText('LRC file', { exact: true }).click();
  const use = async (lrc: string) => {
    await page.getByLabel('Or paste it here').fill(lrc);
    await page.getByRole('button', { name: 'Use these times' }).click();
  };
  await use('[00:01]a\n[00:02]b\n[00:03]c');
  const held = Promise.withResolvers<void>();
  await page.route('**/api/melodies/*', async (route) => {
    if (route.request().method() === 'PUT') await held.promise;
    await route.continue();
  });
  const answered = page.waitForResponse((response) => response.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Save timing' }).click();
  await use('[00:04]a\n[00:05]b\n[00:06]c');
  held.resolve();
  await answered;
  await expect.poll(async () => (await stored()).timings?.map(({ start }) => start)).toEqual([1, 2, 3]);
  await expect(page.getByRole('button', { name: 'Save timing' })).toBeEnabled();

  page.on('dialog', (dialog) => void dialog.accept());
  await openPlayer(page, title);
  await page.getByRole('button', { name: 'Time the lines' }).click();
  await expect(page.getByText('Your unsaved times are here again')).toBeVisible();
  await page.getByRole('button', { name: 'Save timing' }).click();
  await expect.poll(async () => (await stored()).timings?.map(({ start }) => start)).toEqual([4, 5, 6]);
});

test('an LRC file brings words and times, and goes out as it came', async ({ signedIn, world }) => {
  const { title, stored } = await addMelody(world, { text: '' });
  const page = await signedIn(TEACHER);
  await openPlayer(page, title);
  await page.getByRole('button', { name: 'Time the lines' }).click();
  await page.getByText('LRC file', { exact: true }).click();
  const lrc = `[ti:${title}]\n[00:01.25]Om mani\n[00:02.50]padme hung\n`;
  await page
    .locator('input[type=file][accept*=lrc]')
    .setInputFiles({ name: 'song.lrc', mimeType: 'text/plain', buffer: Buffer.from(lrc) });
  await expect(page.getByText('2 of 2 lines have got a time.')).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export LRC' }).click();
  expect((await download).suggestedFilename()).toBe(`${title}.lrc`);
  expect(await readFile(await (await download).path(), 'utf8')).toBe(lrc);
  await page.getByRole('button', { name: 'Save timing' }).click();
  await expect(page.getByText('Timing saved.', { exact: true })).toBeVisible();
  expect(await stored()).toMatchObject({
    melodyText: 'Om mani\npadme hung',
    timings: [
      { line: 0, start: 1.25 },
      { line: 1, start: 2.5 },
    ],
  });
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`words and timing can be used by everyone at 320 px, ${colorScheme}`, async ({ signedIn, world }) => {
    const { title } = await addMelody(world, { text: TEXT, timings });
    const page = await signedIn(TEACHER, { colorScheme, viewport: { width: 320, height: 640 } });
    await openPlayer(page, title);
    await page.getByRole('button', { name: /Play from “Jangchub/ }).click();
    await expect(line(page, 'Jangchub')).toHaveAttribute('aria-current', 'true');
    await pause(page);
    await page.getByRole('button', { name: 'Loop lines' }).click();
    await expectAccessible(page, 'words');
    await expectNoSidewaysScroll(page, 'words');
    await page.getByRole('button', { name: 'Time the lines' }).click();
    await page
      .getByRole('button', { name: /Sangye chö/ })
      .first()
      .click();
    await page.getByText('LRC file', { exact: true }).click();
    await expectAccessible(page, 'timing');
    await expectNoSidewaysScroll(page, 'timing');
  });
