import { afterEach, expect, test, vi } from 'vitest';
import { commands } from 'vitest/browser';
import { api } from '../../../api.ts';
import { aMelody, library } from '../../../testing/browser/community.ts';
import { answer, refuse } from '../../../testing/browser/fake-api.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { expectCount, page } from '../../../testing/browser/screen.ts';

const WORDS = 'bo: ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།\nOm mani padme hung\nen: The six syllables\n\nAh la la ho';

afterEach(async () => {
  await commands.emulateMedia({ media: null });
  delete document.documentElement.dataset['theme'];
});

async function openLibrary() {
  library([aMelody('Mani', { melodyText: WORDS }), aMelody('Without Words')]);
  await renderPage('/melodies');
  await expect.element(page.getByRole('heading', { name: 'Mani' })).toBeVisible();
}

const printButton = () => page.getByRole('button', { name: 'Print the words of Mani' });
/** What leaves ink, in order. */
const printed = () =>
  [...document.body.querySelectorAll('h1, p, button, img')].filter((each) =>
    each.checkVisibility({ checkVisibilityCSS: true }),
  );

test('the words of a melody print alone, black on white, in their three layers, and a line is on one page', async () => {
  const print = vi.spyOn(window, 'print').mockReturnValue();
  await openLibrary();
  document.documentElement.dataset['theme'] = 'dark';
  await expectCount(page.getByRole('button', { name: /^Print the words/ }), 1);
  await printButton().click();
  await expect.poll(() => print.mock.calls.length).toBe(1);
  expect(document.title, 'the name of a file that is saved instead').toBe('Mani');

  await commands.emulateMedia({ media: 'print' });
  expect(printed().map(({ textContent }) => textContent)).toEqual([
    'Mani',
    'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།',
    'Om mani padme hung',
    'The six syllables',
    'Ah la la ho',
  ]);
  for (const each of printed()) expect(getComputedStyle(each).color).toBe('rgb(0, 0, 0)');
  expect(getComputedStyle(document.body).backgroundColor).toBe('rgb(255, 255, 255)');
  const [, tibetan, phonetics, translation] = printed().map((each) => getComputedStyle(each));
  expect(tibetan!.fontFamily).toContain('Noto Serif Tibetan');
  // 20 and 12 points.
  expect([tibetan!, phonetics!].map(({ fontSize }) => Math.round(parseFloat(fontSize)))).toEqual([27, 16]);
  expect([tibetan!, phonetics!, translation!].map(({ textTransform }) => textTransform)).toEqual([
    'none',
    'uppercase',
    'none',
  ]);
  for (const line of document.querySelectorAll('.printed-words li'))
    expect(getComputedStyle(line).breakInside).toBe('avoid');

  // Afterwards the page prints as it is.
  dispatchEvent(new Event('afterprint'));
  await expectCount(page.css('.printed-words'), 0);
  await commands.emulateMedia({ media: null });
  await expect.element(printButton()).toBeVisible();
  expect(document.title).not.toBe('Mani');
});

test('words that do not come are said not to be printed, and may be tried again', async () => {
  const print = vi.spyOn(window, 'print').mockReturnValue();
  await openLibrary();
  refuse(api.melodies.one, 500, { message: 'Something broke' });
  await printButton().click();
  await expect.element(page.getByText('The words could not be printed')).toBeVisible();
  expect(print).not.toHaveBeenCalled();
  answer(api.melodies.one, aMelody('Mani', { melodyText: WORDS }));
  await printButton().click();
  await expect.poll(() => print.mock.calls.length).toBe(1);
  dispatchEvent(new Event('afterprint'));
});
