import { afterEach, expect, test } from 'vitest';
import type { Locator } from 'vitest/browser';
import { api } from '../api.ts';
import { buildMelody, buildRecording, buildTeacher, mockLibrary } from '#testing/browser/community.ts';
import { mockEndpoint } from '#testing/browser/fake-api.ts';
import { findMelodyCard } from '#testing/browser/melody-cards.ts';
import { buildMelodyWithText, openPlayer, playerDialog } from '#testing/browser/player.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, page, userEvent } from '#testing/browser/screen.ts';

/** The tallest stacks of letters in texts that people sing. */
const STACKS = ['ཧྲཱིཿ', 'བསྒྲུབས', '\u0f66\u0f92\u0fb2', 'ཧཱུྃ', 'རྙྗྱཱུྃ'].join('་');
const LONG = 'འཇིག་རྟེན་གསུམ་མགོན་ཆུ་སྐྱེས་ཞལ་གྱི་གེ་སར་བྱེ་བ་ལས་ནི་བྱུང་མ་བསྒྲུབས་པའི་ཧྲཱིཿ།';

const lineOf = (words: string) => page.css('.sung-text p[lang=bo]').filter({ hasText: words });

async function openTibetan() {
  await openPlayer(buildMelodyWithText({ melodyText: `bo: ${STACKS}\nbo: ${LONG}` }));
  await page.viewport(320, 640);
  await expect.element(lineOf(STACKS)).toBeVisible();
  await waitForTibetanFont();
}

/** Waits for the Tibetan font, which the browser fetches when text first uses it. */
async function waitForTibetanFont() {
  const family = [...document.fonts].filter(({ family: name }) => name.includes('Noto Serif Tibetan'));
  await expect.poll(() => family.some(({ status }) => status === 'loaded')).toBe(true);
  await document.fonts.ready;
}

afterEach(() => void (document.adoptedStyleSheets = []));

test('at 320 px, Tibetan breaks only after tsheg and shad and fits the line height', async () => {
  await openTibetan();
  const line = lineOf(LONG).element() as HTMLElement;
  const mayEnd = /^[་།༔ ]$/;
  expect(lineEnds(line).length).toBeGreaterThan(0);
  for (const end of lineEnds(line)) expect(end).toMatch(mayEnd);
  // Checks that the measurement detects a wrong break.
  line.style.lineBreak = 'anywhere';
  expect(lineEnds(line).every((end) => mayEnd.test(end))).toBe(false);
  line.style.lineBreak = '';
  const { lineHeight, fontSize, textTransform, fontFamily } = getComputedStyle(line);
  expect(parseFloat(lineHeight) / parseFloat(fontSize)).toBeGreaterThanOrEqual(1.8);
  expect(textTransform).toBe('none');
  expect(fontFamily).toContain('Noto Serif Tibetan');

  for (const words of [STACKS, LONG]) expect(await inkOutside(lineOf(words)), words).toBe(0);
  // Checks that the measurement detects lines that are too tight, which clip the tops and bottoms of letters.
  const tight = lineOf(STACKS);
  (tight.element() as HTMLElement).style.lineHeight = '1';
  expect(await inkOutside(tight), 'lines set too tightly lose ink').toBeGreaterThan(0);
});

test('no Tibetan stack is clipped in titles or in a description of two lines', async () => {
  const mixed = `Praise of ${STACKS}`;
  // Puts the stacks at the end, because a clamped text is most likely to be clipped in its last line.
  const twoLines = `${'བླ་མ་མཁྱེན་ནོ'.repeat(2)}་${STACKS}`;
  mockLibrary([
    buildMelody(mixed, { description: `In Latin letters and ${STACKS}`, melodyText: 'OM' }),
    buildMelody(STACKS, { description: twoLines, melodyText: 'OM' }),
  ]);
  await page.viewport(320, 640);
  await renderPage('/melodies');
  await expect.element(findMelodyCard(mixed)).toBeVisible();
  await waitForTibetanFont();
  for (const title of [STACKS, mixed])
    expect(await inkCutOff(findMelodyCard(title).getByRole('heading')), `in a row, ${title}`).toBe(0);
  // Sets a width at which the library has two columns, with cards as narrow as on a phone.
  await page.viewport(640, 640);
  for (const title of [STACKS, mixed]) {
    const card = findMelodyCard(title);
    const description = card.css('p.line-clamp-2');
    expect(await inkCutOff(card.getByRole('heading')), `title ${title}`).toBe(0);
    expect(await inkCutOff(description), `description of ${title}`).toBe(0);
    await card.getByRole('button', { name: /^Advanced Player/ }).click();
    // Waits for the player's code. Until then, the player is empty and has a heading that will be replaced.
    await expect.element(playerDialog.getByText('OM', { exact: true })).toBeVisible();
    expect(
      await inkCutOff(playerDialog.getByRole('heading', { name: title })),
      `in the player, ${title}`,
    ).toBe(0);
    await userEvent.keyboard('{Escape}');
    await expectCount(playerDialog, 0);
  }
  // Checks that the measurement detects clipped letters.
  const tight = findMelodyCard(STACKS).css('p.line-clamp-2');
  (tight.element() as HTMLElement).style.lineHeight = '1.2';
  expect(await inkCutOff(tight), 'description lines set too tightly lose ink').toBeGreaterThan(0);
  await expect.element(findMelodyCard(STACKS).getByRole('heading')).toHaveAttribute('lang', 'bo');
  await expect.element(findMelodyCard(STACKS).css('p.line-clamp-2')).toHaveAttribute('lang', 'bo');
  await expect.element(findMelodyCard(mixed).getByRole('heading')).not.toHaveAttribute('lang');
});

test('no Tibetan stack is clipped in the lists of the inbox', async () => {
  const waiting = [buildRecording(STACKS)];
  mockEndpoint(api.recordings.pendingForInbox, waiting);
  await page.viewport(1440, 900);
  await renderPage('/admin', { user: buildTeacher() });
  const listed = page.getByRole('navigation', { name: 'Waiting recordings' }).getByText(STACKS);
  await expect.element(listed).toBeVisible();
  await waitForTibetanFont();
  expect(await inkCutOff(listed), 'in the list').toBe(0);
  expect(await inkCutOff(page.getByRole('heading', { name: STACKS })), 'in its card').toBe(0);
});

/** Returns the last character of each line of a paragraph, except the last line. */
function lineEnds(paragraph: Element) {
  const text = paragraph.firstChild as Text;
  const range = document.createRange();
  const ends: string[] = [];
  let last = -Infinity;
  for (const [i] of [...text.data].entries()) {
    range.setStart(text, i);
    range.setEnd(text, i + 1);
    const { top, width } = range.getBoundingClientRect();
    // Skips letters that are stacked below another, because they have zero width.
    if (width === 0) continue;
    if (top > last + 5 && last !== -Infinity) ends.push(text.data.slice(0, i).trimEnd().slice(-1));
    last = Math.max(last, top);
  }
  return ends;
}

/** Returns how many pixels of an element become visible when no container clips it. */
const inkCutOff = (locator: Locator) =>
  countChangedPixels(locator, () => show('* { overflow: visible !important; contain: none !important; }'));

/**
 * Returns how many pixels a paragraph paints outside its box: the tops of the letters in its first line, and
 * the bottoms of those in its last line. Nothing else is painted during the measurement.
 */
const inkOutside = (line: Locator) =>
  countChangedPixels(line, () => show('.alone { clip-path: inset(0) !important; }'));

/** Counts the pixels that a change alters in an element, which is shown alone on the page in black on white. */
async function countChangedPixels(locator: Locator, change: () => void) {
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
  // Ignores the pixel columns beside the box, because the antialiased edge of a letter may reach into them.
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

/** Takes a screenshot of the page. Returns one grey value for each pixel. */
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
