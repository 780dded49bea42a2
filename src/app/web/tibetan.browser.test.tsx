import { afterEach, expect, test } from 'vitest';
import type { Locator } from 'vitest/browser';
import { api } from '../api.ts';
import { aMelody, aRecording, aTeacher, library } from '#testing/browser/community.ts';
import { answer } from '#testing/browser/fake-api.ts';
import { cardOf } from '#testing/browser/melody-cards.ts';
import { aSong, openPlayer, player } from '#testing/browser/player.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, page, userEvent } from '#testing/browser/screen.ts';

/** The tallest stacks that people sing. */
const STACKS = ['ཧྲཱིཿ', 'བསྒྲུབས', '\u0f66\u0f92\u0fb2', 'ཧཱུྃ', 'རྙྗྱཱུྃ'].join('་');
const LONG = 'འཇིག་རྟེན་གསུམ་མགོན་ཆུ་སྐྱེས་ཞལ་གྱི་གེ་སར་བྱེ་བ་ལས་ནི་བྱུང་མ་བསྒྲུབས་པའི་ཧྲཱིཿ།';

const lineOf = (words: string) => page.css('.sung-text p[lang=bo]').filter({ hasText: words });

async function openTibetan() {
  await openPlayer(aSong({ melodyText: `bo: ${STACKS}\nbo: ${LONG}` }));
  await page.viewport(320, 640);
  await expect.element(lineOf(STACKS)).toBeVisible();
  await lettersAreThere();
}

/** They are fetched once there is something to write with them. */
async function lettersAreThere() {
  const family = [...document.fonts].filter(({ family: name }) => name.includes('Noto Serif Tibetan'));
  await expect.poll(() => family.some(({ status }) => status === 'loaded')).toBe(true);
  await document.fonts.ready;
}

afterEach(() => void (document.adoptedStyleSheets = []));

test('at 320 px Tibetan breaks after tsheg and shad alone, and no ink leaves the height of its line', async () => {
  await openTibetan();
  const line = lineOf(LONG).element() as HTMLElement;
  const mayEnd = /^[་།༔ ]$/;
  expect(lineEnds(line).length).toBeGreaterThan(0);
  for (const end of lineEnds(line)) expect(end).toMatch(mayEnd);
  // The measure sees what it should see.
  line.style.lineBreak = 'anywhere';
  expect(lineEnds(line).every((end) => mayEnd.test(end))).toBe(false);
  line.style.lineBreak = '';
  const { lineHeight, fontSize, textTransform, fontFamily } = getComputedStyle(line);
  expect(parseFloat(lineHeight) / parseFloat(fontSize)).toBeGreaterThanOrEqual(1.8);
  expect(textTransform).toBe('none');
  expect(fontFamily).toContain('Noto Serif Tibetan');

  for (const words of [STACKS, LONG]) expect(await inkOutside(lineOf(words)), words).toBe(0);
  // The measure sees what it should see: lines set too tightly lose their heads and feet.
  const tight = lineOf(STACKS);
  (tight.element() as HTMLElement).style.lineHeight = '1';
  expect(await inkOutside(tight), 'set tightly').toBeGreaterThan(0);
});

test('in titles, and in a description that is cut off after two lines, nothing of a stack is cut', async () => {
  const mixed = `Praise of ${STACKS}`;
  // The last lines of these are the ones that are in danger.
  const twoLines = `${'བླ་མ་མཁྱེན་ནོ'.repeat(2)}་${STACKS}`;
  library([
    aMelody(mixed, { description: `In Latin letters and ${STACKS}`, melodyText: 'OM' }),
    aMelody(STACKS, { description: twoLines, melodyText: 'OM' }),
  ]);
  await page.viewport(320, 640);
  await renderPage('/melodies');
  await expect.element(cardOf(mixed)).toBeVisible();
  await lettersAreThere();
  for (const title of [STACKS, mixed])
    expect(await inkCutOff(cardOf(title).getByRole('heading')), `in a row, ${title}`).toBe(0);
  // Two columns: cards as narrow as a phone.
  await page.viewport(640, 640);
  for (const title of [STACKS, mixed]) {
    const card = cardOf(title);
    const description = card.css('p.line-clamp-2');
    expect(await inkCutOff(card.getByRole('heading')), `title ${title}`).toBe(0);
    expect(await inkCutOff(description), `description of ${title}`).toBe(0);
    await card.getByRole('button', { name: /^Advanced Player/ }).click();
    // Until its program has come the player stands empty, with a heading that does not stay.
    await expect.element(player.getByText('OM', { exact: true })).toBeVisible();
    expect(await inkCutOff(player.getByRole('heading', { name: title })), `in the player, ${title}`).toBe(0);
    await userEvent.keyboard('{Escape}');
    await expectCount(player, 0);
  }
  // The measure sees what it should see.
  const tight = cardOf(STACKS).css('p.line-clamp-2');
  (tight.element() as HTMLElement).style.lineHeight = '1.2';
  expect(await inkCutOff(tight), 'a description, set tightly').toBeGreaterThan(0);
  await expect.element(cardOf(STACKS).getByRole('heading')).toHaveAttribute('lang', 'bo');
  await expect.element(cardOf(STACKS).css('p.line-clamp-2')).toHaveAttribute('lang', 'bo');
  await expect.element(cardOf(mixed).getByRole('heading')).not.toHaveAttribute('lang');
});

test('in the lists of the inbox nothing of a stack is cut', async () => {
  const waiting = [aRecording(STACKS)];
  answer(api.recordings.pendingForInbox, waiting);
  await page.viewport(1440, 900);
  await renderPage('/admin', { user: aTeacher() });
  const listed = page.getByRole('navigation', { name: 'Waiting recordings' }).getByText(STACKS);
  await expect.element(listed).toBeVisible();
  await lettersAreThere();
  expect(await inkCutOff(listed), 'in the list').toBe(0);
  expect(await inkCutOff(page.getByRole('heading', { name: STACKS })), 'in its card').toBe(0);
});

/** The letters after which a paragraph breaks. */
function lineEnds(paragraph: Element) {
  const text = paragraph.firstChild as Text;
  const range = document.createRange();
  const ends: string[] = [];
  let last = -Infinity;
  for (const [i] of [...text.data].entries()) {
    range.setStart(text, i);
    range.setEnd(text, i + 1);
    const { top, width } = range.getBoundingClientRect();
    // What is stacked below another letter has no width of its own.
    if (width === 0) continue;
    if (top > last + 5 && last !== -Infinity) ends.push(text.data.slice(0, i).trimEnd().slice(-1));
    last = Math.max(last, top);
  }
  return ends;
}

/** How many pixels of an element come to light when nothing that holds it cuts anything off any more. */
const inkCutOff = (locator: Locator) =>
  changed(locator, () => show('* { overflow: visible !important; contain: none !important; }'));

/**
 * How many pixels change when all that a paragraph paints beyond its own box is cut off: the heads of its first line
 * and the feet of its last. Nothing else is painted meanwhile.
 */
const inkOutside = (line: Locator) => changed(line, () => show('.alone { clip-path: inset(0) !important; }'));

/** How many pixels of an element, alone on the page and black on white, a change makes others. */
async function changed(locator: Locator, change: () => void) {
  const element = locator.element();
  element.scrollIntoView({ block: 'center' });
  show(`
    body * { visibility: hidden !important; }
    .alone, .alone * { visibility: visible !important; color: #000 !important; }
    body, [role=dialog] { background: #fff !important; }
  `);
  element.classList.add('alone');
  const before = await picture();
  change();
  const after = await picture();
  element.classList.remove('alone');
  document.adoptedStyleSheets = [];
  expect(before.shades.some((shade) => shade < 128)).toBe(true);
  // The shade of a letter's edge may fall into the pixel beside the box.
  const { left, right } = element.getBoundingClientRect();
  const beside = [Math.floor(left) - 1, Math.ceil(right)];
  return before.shades.filter(
    (shade, i) => Math.abs(shade - after.shades[i]!) > 32 && !beside.includes(i % before.width),
  ).length;
}

function show(rules: string) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** The page, with one shade for each pixel. */
async function picture() {
  const base64 = await page.screenshot({ save: false, element: document.documentElement });
  const png = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([png], { type: 'image/png' }));
  const { width, height } = image;
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  return { width, shades: Uint8Array.from({ length: width * height }, (_, i) => data[i * 4 + 1]!) };
}
