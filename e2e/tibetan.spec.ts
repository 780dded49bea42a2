import type { ElementHandle, Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { tone } from '../src/testing/tone.ts';
import { answerAll } from './inbox.ts';
import { TEACHER, expect, test } from './fixtures.ts';
import { addBare, cardOf } from './melodies.ts';
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

test('in titles, in a description that is cut off after two lines and in the lists of the inbox, nothing of a stack is cut', async ({
  signedIn,
  world,
}) => {
  const mixed = `Praise of ${STACKS}`;
  // The last lines of these are the ones that are in danger.
  const twoLines = `${'བླ་མ་མཁྱེན་ནོ'.repeat(2)}་${STACKS}`;
  await addBare(world, STACKS, { description: twoLines, melodyText: 'OM' });
  await addBare(world, mixed, { description: `In Latin letters and ${STACKS}`, melodyText: 'OM' });
  const student = await world.student();
  const page = await signedIn(student, { viewport: { width: 320, height: 640 } });
  await page.goto('/melodies');
  await expect(cardOf(page, mixed)).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  for (const title of [STACKS, mixed]) {
    const card = cardOf(page, title);
    const description = card.locator('.line-clamp-2');
    expect(await inkCutOff(card.getByRole('heading')), `title ${title}`).toBe(0);
    expect(await inkCutOff(description), `description of ${title}`).toBe(0);
    // The measure sees what it should see.
    await description.evaluate((element) => (element.style.lineHeight = '1.2'));
    expect(await inkCutOff(description), `description of ${title}, set tightly`).toBeGreaterThan(0);
    await card.getByRole('button', { name: /^Advanced Player/ }).click();
    const heading = page.getByRole('dialog').getByRole('heading', { name: title });
    // Until its program has come the player stands empty, with a heading that does not stay.
    await expect(page.getByRole('dialog').getByText('OM', { exact: true })).toBeVisible();
    expect(await inkCutOff(heading), `in the player, ${title}`).toBe(0);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
  await expect(cardOf(page, STACKS).getByRole('heading')).toHaveAttribute('lang', 'bo');
  await expect(cardOf(page, STACKS).locator('.line-clamp-2')).toHaveAttribute('lang', 'bo');
  await expect(cardOf(page, mixed).getByRole('heading')).not.toHaveAttribute('lang');

  await answerAll(world);
  const sent = await (
    await world.as(student)
  ).form('/api/recordings', { title: STACKS, audio: { bytes: tone(1), name: 'a.wav' } });
  expect(sent.status).toBe(201);
  const teacherPage = await signedIn(TEACHER, { viewport: { width: 1440, height: 900 } });
  await teacherPage.goto('/admin');
  const listed = teacherPage.getByRole('navigation', { name: 'Waiting recordings' }).getByText(STACKS);
  // The letters are fetched once there is something to write with them.
  await expect(listed).toBeVisible();
  await teacherPage.evaluate(() => document.fonts.ready);
  expect(await inkCutOff(listed), 'in the list of the inbox').toBe(0);
  expect(await inkCutOff(teacherPage.getByRole('heading', { name: STACKS })), 'in its card').toBe(0);
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

/** How many pixels of an element come to light when nothing that holds it cuts anything off any more. */
async function inkCutOff(element: Locator) {
  return comparing(element, async (element, picture) => {
    const asItIs = await picture();
    await element.evaluate(() => {
      const free = new CSSStyleSheet();
      free.replaceSync('* { overflow: visible !important; contain: none !important; }');
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, free];
    });
    return [asItIs, await picture()];
  });
}

/**
 * How many pixels change when all that a paragraph paints beyond its own box is cut off: the heads of its first line
 * and the feet of its last. Nothing else is painted meanwhile.
 */
async function inkOutside(line: Locator) {
  return comparing(line, async (element, picture) => {
    const whole = await picture();
    await element.evaluate(({ style }) => (style.clipPath = 'inset(0)'));
    const cut = await picture();
    await element.evaluate(({ style }) => (style.clipPath = ''));
    return [whole, cut];
  });
}

type Held = ElementHandle<HTMLElement | SVGElement>;
type Pictures = (element: Held, picture: () => Promise<Buffer>) => Promise<[Buffer, Buffer]>;

/** How many pixels differ between two pictures of an element, which is alone on the page, black on white. */
async function comparing(locator: Locator, pictures: Pictures) {
  const page = locator.page();
  // What is unseen meanwhile has no role to be found by.
  const element = await locator.elementHandle();
  await element.scrollIntoViewIfNeeded();
  await element.evaluate((element) => {
    const alone = new CSSStyleSheet();
    alone.replaceSync(`
      body * { visibility: hidden !important; }
      .alone, .alone * { visibility: visible !important; color: #000 !important; }
      body, [role=dialog] { background: #fff !important; }
    `);
    document.adoptedStyleSheets = [alone];
    element.classList.add('alone');
  });
  const box = (await element.boundingBox())!;
  const room = 40;
  const top = Math.max(0, Math.floor(box.y) - room);
  const clip = {
    x: Math.floor(box.x),
    y: top,
    width: Math.ceil(box.width),
    height: Math.ceil(box.y + box.height) + room - top,
  };
  const [one, other] = await pictures(element, () => ink(page, clip));
  await element.evaluate((element) => {
    element.classList.remove('alone');
    document.adoptedStyleSheets = [];
  });
  return one.reduce((count, value, i) => (Math.abs(value - other[i]!) > 32 ? count + 1 : count), 0);
}

async function ink(page: Page, clip: { x: number; y: number; width: number; height: number }) {
  const picture = await page.screenshot({ clip, animations: 'disabled' });
  return sharp(picture).greyscale().raw().toBuffer();
}
