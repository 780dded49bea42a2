import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, test } from './fixtures.ts';
import { addMelody, openPlayer } from './player.ts';

/** The tallest stacks that people sing. */
const STACKS = ['ཧྲཱིཿ', 'བསྒྲུབས', '\u0f66\u0f92\u0fb2', 'ཧཱུྃ', 'རྙྗྱཱུྃ'].join('་');
const LONG = 'འཇིག་རྟེན་གསུམ་མགོན་ཆུ་སྐྱེས་ཞལ་གྱི་གེ་སར་བྱེ་བ་ལས་ནི་བྱུང་མ་བསྒྲུབས་པའི་ཧྲཱིཿ།';

test('tall stacks are whole at 320 px: no ink leaves the height of its line', async ({ signedIn, world }) => {
  const page = await openTibetan(
    await signedIn(await world.student(), { viewport: { width: 320, height: 640 } }),
    world,
  );
  for (const words of [STACKS, LONG]) {
    const line = page.locator('.sung-text p[lang=bo]').filter({ hasText: words });
    expect(await inkOutside(line), words).toBe(0);
    // The measure sees what it should see: lines set too tightly lose their heads and feet.
    await line.evaluate((element) => (element.style.lineHeight = '1'));
    expect(await inkOutside(line), `${words}, set tightly`).toBeGreaterThan(0);
  }
});

test('Tibetan breaks after tsheg and shad alone, and has room and its own face', async ({
  signedIn,
  world,
}) => {
  const page = await openTibetan(
    await signedIn(await world.student(), { viewport: { width: 320, height: 640 } }),
    world,
  );
  const line = page.locator('.sung-text p[lang=bo]').filter({ hasText: LONG });
  const { ends, height, size, transform, family } = await line.evaluate((element) => {
    const text = element.firstChild as Text;
    const range = document.createRange();
    const tops = [...text.data].map((_, i) => {
      range.setStart(text, i);
      range.setEnd(text, i + 1);
      return range.getBoundingClientRect();
    });
    const style = getComputedStyle(element);
    const ends: string[] = [];
    let last = -Infinity;
    tops.forEach(({ top, width }, i) => {
      // What is stacked below another letter has no width of its own.
      if (width === 0) return;
      if (top > last + 5 && last !== -Infinity) ends.push(text.data.slice(0, i).trimEnd().slice(-1));
      last = Math.max(last, top);
    });
    return {
      ends,
      height: parseFloat(style.lineHeight),
      size: parseFloat(style.fontSize),
      transform: style.textTransform,
      family: style.fontFamily,
    };
  });
  expect(ends.length).toBeGreaterThan(0);
  for (const end of ends) expect('་།༔ ').toContain(end);
  expect(height / size).toBeGreaterThanOrEqual(1.8);
  expect(transform).toBe('none');
  expect(family).toContain('Noto Serif Tibetan');
});

async function openTibetan(page: Page, world: Parameters<typeof addMelody>[0]) {
  const { title } = await addMelody(world, { text: `bo: ${STACKS}\nbo: ${LONG}` });
  await openPlayer(page, title);
  await page.evaluate(() => document.fonts.ready);
  await expect(page.locator('.sung-text p[lang=bo]').first()).toBeVisible();
  return page;
}

/**
 * How many pixels change when all that a paragraph paints beyond its own box is cut off: the heads of its first line
 * and the feet of its last. Nothing else is painted meanwhile.
 */
async function inkOutside(line: Locator) {
  const page = line.page();
  await line.scrollIntoViewIfNeeded();
  await line.evaluate((element) => {
    // One paragraph alone, black on white.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      body * { visibility: hidden !important; }
      .alone, .alone * { visibility: visible !important; color: #000 !important; }
      body, [role=dialog] { background: #fff !important; }
    `);
    document.adoptedStyleSheets = [sheet];
    element.classList.add('alone');
  });
  const box = (await line.boundingBox())!;
  const room = 40;
  const clip = {
    x: Math.floor(box.x),
    y: Math.floor(box.y) - room,
    width: Math.ceil(box.width),
    height: Math.ceil(box.height) + 2 * room,
  };
  const whole = await ink(page, clip);
  await line.evaluate((element) => (element.style.clipPath = 'inset(0)'));
  const cut = await ink(page, clip);
  await line.evaluate((element) => {
    element.style.clipPath = '';
    element.classList.remove('alone');
    document.adoptedStyleSheets = [];
  });
  return whole.reduce((count, value, i) => (Math.abs(value - cut[i]!) > 32 ? count + 1 : count), 0);
}

async function ink(page: Page, clip: { x: number; y: number; width: number; height: number }) {
  const picture = await page.screenshot({ clip, animations: 'disabled' });
  return sharp(picture).greyscale().raw().toBuffer();
}
