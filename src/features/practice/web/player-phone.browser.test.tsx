import { expect, test } from 'vitest';
import { buildStudent, mockLibrary } from '#testing/browser/community.ts';
import {
  buildMelodyWithText,
  getPlaybackState,
  openPlayerByUrl,
  openPlayer,
  playerDialog,
  pressPlayerButton,
} from '#testing/browser/player.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import {
  clickInPage,
  expectCount,
  expectText,
  page,
  pressKeyOn,
  userEvent,
} from '#testing/browser/screen.ts';

const LINES = [1, 2, 3, 4, 5, 6, 7, 8];
const aSongOfThreeLayers = () =>
  buildMelodyWithText({
    melodyText: LINES.map((n) => `bo: སངས་རྒྱས་ཆོས་དང་ཚོགས།\nLine ${n} namo\nen: Praise to the ${n}`).join(
      '\n\n',
    ),
    timings: LINES.map((_, i) => ({ line: i * 4, start: i * 2 })),
    seconds: 20,
  });

const line = (n: number) => page.css('.sung-text li').filter({ hasText: `Line ${n} ` });
const getCurrentLine = () => document.querySelector('.sung-text [aria-current]')!;
const looping = playerDialog.getByText(/^Line \d · 0:/);
const speed = playerDialog.getByRole('button', { name: /^Speed \d/ });
const settings = (name: string) => playerDialog.getByRole('group', { name, exact: true });
const fontOf = (within: Element, part: string) =>
  Number.parseFloat(getComputedStyle(within.querySelector(part)!).fontSize);

/** Touches an element, holds until the page recognizes a long press, and releases. */
async function hold(on: Element, isTaken: () => boolean) {
  const { x, y, width, height } = on.getBoundingClientRect();
  const at = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, isPrimary: true, button: 0 };
  // Presses again if the words have just scrolled into place, because scrolling cancels a press.
  const press = () => on.dispatchEvent(new PointerEvent('pointerdown', at));
  await expect.poll(() => isTaken() || !press(), { interval: 1_000 }).toBe(true);
  on.dispatchEvent(new PointerEvent('pointerup', at));
  on.dispatchEvent(new MouseEvent('click', { ...at, cancelable: true }));
}
const holdLine = (n: number) => {
  const held = line(n).element();
  return hold(held, () => held.classList.contains('border-saffron'));
};

for (const [width, height, share] of [
  [375, 553, 0.55],
  [320, 568, 0.5],
  [844, 390, 0.55],
  [320, 256, 0],
] as const)
  test(`at ${width} × ${height}, the current line is fully visible and controls are in view`, async () => {
    await page.viewport(width, height);
    await openPlayerByUrl(aSongOfThreeLayers(), '&line=3');
    await expect.element(line(3)).toHaveAttribute('aria-current', 'true');
    const words = playerDialog.getByRole('region', { name: 'Words of Song' }).element();
    const view = words.getBoundingClientRect();
    expect(view.height / innerHeight).toBeGreaterThanOrEqual(share);
    for (const part of ['.sung-tibetan', '.sung-phonetics', '.sung-translation'])
      expect(fontOf(getCurrentLine(), part)).toBeGreaterThan(fontOf(line(2).element(), part));
    if (share > 0) {
      await expect
        .poll(() => {
          const { top, bottom } = getCurrentLine().getBoundingClientRect();
          return top >= view.top && bottom <= view.bottom;
        })
        .toBe(true);
      await expect
        .element(playerDialog.getByRole('button', { name: 'Sing', exact: true }))
        .toBeInViewport({ ratio: 1 });
      await expect
        .element(playerDialog.getByRole('button', { name: 'Set A Point' }))
        .toBeInViewport({ ratio: 1 });
    }
    for (const name of ['Play', 'Close', 'Menu'])
      await expect
        .element(playerDialog.getByRole('button', { name, exact: true }))
        .toBeInViewport({ ratio: 1 });
    await expect.element(speed).toBeInViewport({ ratio: 1 });
  });

test('four taps lead from home to the third line, looped at 0.75× speed', async () => {
  await page.viewport(390, 664);
  const melody = aSongOfThreeLayers();
  mockLibrary([melody]);
  await renderPage('/', { user: buildStudent() });
  await page.getByRole('link', { name: 'Explore Melodies' }).click();
  await page.css('main [role=listitem]').getByRole('button', { name: 'Song', exact: true }).click();
  await expect.element(line(3)).toBeVisible();
  await holdLine(3);
  await speed.click();
  await expectText(looping, 'Line 3 · 0:04.0 – 0:06.0');
  await expect.element(speed).toHaveAccessibleName('Speed 0.75×');
  await expect.poll(() => getPlaybackState().plays).toBe(true);
});

test('a long press, button or key loops a line, and the button or key clears the loop', async () => {
  await page.viewport(390, 664);
  await openPlayerByUrl(aSongOfThreeLayers());
  await expect.element(line(2)).toBeVisible();
  await holdLine(2);
  await expectText(looping, 'Line 2 · ');
  // A short press plays the line. The current line has the loop button.
  await clickInPage(line(3).getByText('Line 3 namo'));
  await expect.element(line(3)).toHaveAttribute('aria-current', 'true');
  await clickInPage(playerDialog.getByRole('button', { name: 'Loop line “Line 3 namo”' }));
  await expectText(looping, 'Line 3 · ');
  await pressPlayerButton('Looping “Line 3 namo”');
  await expectCount(looping, 0);
  await pressKeyOn(playerDialog.getByRole('button', { name: /^Play from “Line 5/ }), 'l');
  await expectText(looping, 'Line 5 · ');
  await pressKeyOn(playerDialog.getByRole('button', { name: 'Pause', exact: true }), 'l');
  await expectCount(looping, 0);
});

test('a long press does not loop the line if the finger moves', async () => {
  await openPlayer(aSongOfThreeLayers());
  const on = line(2).element();
  const at = { clientX: 300, clientY: 300, bubbles: true, isPrimary: true, button: 0 };
  on.dispatchEvent(new PointerEvent('pointerdown', at));
  on.dispatchEvent(new PointerEvent('pointermove', { ...at, clientY: 320 }));
  // Holds another line for long enough that the first press would have counted as long too.
  await holdLine(4);
  on.dispatchEvent(new PointerEvent('pointerup', at));
  await expectText(looping, 'Line 4 · ');
});

test('a chip steps through the usual values, and a long press opens all settings', async () => {
  await page.viewport(390, 664);
  await openPlayerByUrl(aSongOfThreeLayers());
  await speed.click();
  await expect.element(speed).toHaveAccessibleName('Speed 0.75×');
  const repeats = playerDialog.getByRole('button', { name: /^Repeat (\d|until)/ });
  await repeats.click();
  await expect.element(repeats).toHaveAccessibleName('Repeat 3×');
  const chip = speed.element();
  await hold(chip, () => chip.className.includes('outline-offset-2 outline-saffron'));
  await expect.element(settings('Speed and volume')).toHaveFocus();
  // The long press did not also count as a short press.
  await expect.element(speed).toHaveAccessibleName('Speed 0.75×');
  await userEvent.keyboard('{Escape}');
  await expectCount(settings('Speed and volume'), 0);
  await expect.element(playerDialog.getByRole('button', { name: 'Play', exact: true })).toHaveFocus();
  await pressKeyOn(repeats, 'ArrowDown');
  await expect.element(settings('Repeats and pauses')).toHaveFocus();
});

test('a button zooms the waveform to the loop, and keys zoom in and out', async () => {
  await openPlayer(aSongOfThreeLayers());
  const a = playerDialog.getByRole('slider', { name: 'A point' });
  const b = playerDialog.getByRole('slider', { name: 'B point' });
  const position = playerDialog.getByRole('slider', { name: /^Position/ });
  const between = () => b.element().getBoundingClientRect().x - a.element().getBoundingClientRect().x;
  await pressKeyOn(playerDialog.getByRole('button', { name: /^Play from “Line 3/ }), 'l');
  await pressPlayerButton('Pause');
  const whole = between();
  await pressPlayerButton('Zoom to the loop');
  await expect.poll(between).toBeGreaterThan(3 * whole);
  await pressPlayerButton('Zoom to the loop');
  await expect.poll(between).toBeCloseTo(whole, 0);
  await pressKeyOn(position, '+');
  await expect.poll(between).toBeCloseTo(2 * whole, 0);
  await pressKeyOn(position, '-');
  await expect.poll(between).toBeCloseTo(whole, 0);
});

test('the chosen size of the words is stored on this device', async () => {
  await page.viewport(390, 664);
  const melody = aSongOfThreeLayers();
  await openPlayerByUrl(melody);
  await expect.element(line(2)).toBeVisible();
  const size = () => fontOf(line(2).element(), '.sung-phonetics');
  const before = size();
  await pressPlayerButton('Menu');
  await playerDialog.getByText('200%', { exact: true }).click();
  await expect.poll(size).toBeCloseTo(2 * before, 0);
  await userEvent.keyboard('{Escape}');
  await expectCount(settings('Menu'), 0);
  await openPlayerByUrl(melody);
  await expect.element(line(2)).toBeVisible();
  expect(size()).toBeCloseTo(2 * before, 0);
});

test('pressing a line in the list of lines scrolls the words to that line', async () => {
  await page.viewport(390, 664);
  await openPlayerByUrl(aSongOfThreeLayers());
  await pressPlayerButton('Menu');
  await clickInPage(playerDialog.getByRole('list', { name: 'Lines' }).getByRole('button', { name: /^6/ }));
  await expect.element(line(6)).toHaveAttribute('aria-current', 'true');
  await expect.element(line(6)).toBeInViewport({ ratio: 1 });
  await expectCount(settings('Menu'), 0);
});

test('the menu leaves the current line visible while the text size is being changed', async () => {
  await page.viewport(390, 664);
  await openPlayerByUrl(aSongOfThreeLayers(), '&line=4');
  await expect.element(line(4)).toHaveAttribute('aria-current', 'true');
  await pressPlayerButton('Menu');
  const sheet = () => settings('Menu').element().getBoundingClientRect();
  const { bottom, height } = getCurrentLine().getBoundingClientRect();
  expect(bottom).toBeLessThanOrEqual(sheet().top);
  expect(sheet().height).toBeLessThan(innerHeight / 2);
  await playerDialog.getByText('150%', { exact: true }).click();
  await expect.poll(() => getCurrentLine().getBoundingClientRect().height).toBeGreaterThan(height);
  expect(getCurrentLine().getBoundingClientRect().top).toBeLessThan(sheet().top);
  await expect.element(playerDialog.getByText('150%', { exact: true })).toBeInViewport({ ratio: 1 });
  await pressPlayerButton('Close menu');
  await expectCount(settings('Menu'), 0);
  await expect.element(playerDialog.getByRole('button', { name: 'Menu' })).toHaveFocus();
});

test('turning the translation off and on does not move the switches in the menu', async () => {
  await page.viewport(390, 664);
  await openPlayerByUrl(aSongOfThreeLayers());
  await pressPlayerButton('Menu');
  const places = () =>
    [...settings('Menu').element().querySelectorAll('fieldset:last-of-type label')].map(
      (label) => label.getBoundingClientRect().x,
    );
  await expect.poll(places).toHaveLength(3);
  const before = places();
  const translation = playerDialog.getByRole('checkbox', { name: 'Translation' });
  await translation.click({ force: true });
  await expect.element(translation).not.toBeChecked();
  expect(places()).toEqual(before);
  await translation.click({ force: true });
  await expect.element(translation).toBeChecked();
});

test('the current line has even padding, and the same background when paused', async () => {
  await page.viewport(390, 664);
  await openPlayerByUrl(aSongOfThreeLayers(), '&line=3');
  await expect.element(line(3).getByText('Paused')).toBeVisible();
  const ground = () => getComputedStyle(getCurrentLine()).backgroundColor;
  const saffron = 'rgb(251, 239, 211)';
  await expect.poll(ground).toBe(saffron);
  const { top, bottom } = getCurrentLine().getBoundingClientRect();
  const layers = [...getCurrentLine().querySelectorAll('[data-line]')].map((layer) =>
    layer.getBoundingClientRect(),
  );
  const [above, below] = [layers[0]!.top - top, bottom - layers.at(-1)!.bottom];
  expect(Math.abs(above - below)).toBeLessThanOrEqual(16);
  await pressPlayerButton('Play');
  await expect.poll(() => getPlaybackState().plays).toBe(true);
  await expectCount(page.css('.practice-words[data-paused]'), 0);
  await expect.poll(ground).toBe(saffron);
});

test('a short text is vertically centred', async () => {
  await page.viewport(390, 844);
  await openPlayerByUrl(buildMelodyWithText({ melodyText: 'One\nTwo\nThree' }));
  await expect.element(playerDialog.getByText('Two')).toBeVisible();
  const middle = (element: Element) => {
    const { top, height } = element.getBoundingClientRect();
    return top + height / 2;
  };
  const words = playerDialog.getByRole('region', { name: 'Words of Song' }).element();
  expect(Math.abs(middle(playerDialog.getByText('Two').element()) - middle(words))).toBeLessThan(2);
});

for (const width of [375, 320])
  test(`with the largest text at ${width} px, labels fit and title words don’t break`, async () => {
    document.documentElement.dataset['textSize'] = 'larger';
    try {
      await page.viewport(width, 667);
      await openPlayerByUrl({ ...aSongOfThreeLayers(), title: 'Dedication of Merit' }, '&line=3');
      await expect.element(playerDialog.getByRole('button', { name: 'Sing', exact: true })).toBeVisible();
      const row = ['Set A Point', 'Set B Point', 'Clear Loop', 'Sing'].map((name) =>
        playerDialog.getByRole('button', { name, exact: true }).element(),
      );
      for (const button of row) {
        expect(button.scrollWidth, button.textContent).toBeLessThanOrEqual(button.clientWidth);
      }
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
      // No word of the title is broken across lines.
      const words = playerDialog.getByRole('heading', { name: 'Dedication of Merit' }).element();
      const text = words.firstChild!;
      for (const word of words.textContent.split(' ')) {
        const range = document.createRange();
        const from = words.textContent.indexOf(word);
        range.setStart(text, from);
        range.setEnd(text, from + word.length);
        expect(range.getClientRects(), word).toHaveLength(1);
      }
    } finally {
      document.documentElement.dataset['textSize'] = 'normal';
    }
  });
