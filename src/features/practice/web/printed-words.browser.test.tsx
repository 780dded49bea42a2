import { afterEach, expect, test, vi } from 'vitest';
import { commands } from 'vitest/browser';
import { buildMelody, mockLibrary } from '#testing/browser/community.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, page } from '#testing/browser/screen.ts';

const WORDS = 'bo: ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།\nOm mani padme hung\nen: The six syllables\n\nAh la la ho';

afterEach(async () => {
  await commands.emulateMedia({ media: null });
  delete document.documentElement.dataset['theme'];
});

async function openWords(melody = buildMelody('Mani', { melodyText: WORDS })) {
  mockLibrary([melody]);
  await renderPage(`/melodies?play=${melody.id}`);
  await expect.element(page.getByRole('dialog', { name: melody.title })).toBeVisible();
}

/** Returns the elements that would be printed, in order. */
const listPrintedElements = () =>
  [...document.body.querySelectorAll('h1, p, button, img')].filter((each) =>
    each.checkVisibility({ checkVisibilityCSS: true }),
  );

test('prints only the words, black on white, without splitting lines between pages', async () => {
  const print = vi.spyOn(window, 'print').mockReturnValue();
  // The real `print()` fires this event, as do the browser's own print menu and shortcut.
  print.mockImplementation(() => void dispatchEvent(new Event('beforeprint')));
  await openWords();
  document.documentElement.dataset['theme'] = 'dark';
  await page.getByRole('button', { name: 'Lines', exact: true }).click();
  await page.getByRole('button', { name: 'Print the words' }).click();
  await expect.element(page.css('.printed-words')).toBeInTheDocument();
  expect(document.title, 'the title becomes the name of a saved PDF').toMatch(/^Mani/);

  await commands.emulateMedia({ media: 'print' });
  expect(listPrintedElements().map(({ textContent }) => textContent)).toEqual([
    'Mani',
    'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།',
    'Om mani padme hung',
    'The six syllables',
    'Ah la la ho',
  ]);
  for (const each of listPrintedElements()) expect(getComputedStyle(each).color).toBe('rgb(0, 0, 0)');
  expect(getComputedStyle(document.body).backgroundColor).toBe('rgb(255, 255, 255)');
  const [, tibetan, phonetics, translation] = listPrintedElements().map((each) => getComputedStyle(each));
  expect(tibetan!.fontFamily).toContain('Noto Serif Tibetan');
  // 27 and 16 pixels are 20 and 12 points.
  expect([tibetan!, phonetics!].map(({ fontSize }) => Math.round(parseFloat(fontSize)))).toEqual([27, 16]);
  expect([tibetan!, phonetics!, translation!].map(({ textTransform }) => textTransform)).toEqual([
    'none',
    'uppercase',
    'none',
  ]);
  for (const line of document.querySelectorAll('.printed-words li'))
    expect(getComputedStyle(line).breakInside).toBe('avoid');

  // After printing, the page looks as before.
  dispatchEvent(new Event('afterprint'));
  await expectCount(page.css('.printed-words'), 0);
  await commands.emulateMedia({ media: null });
  await expect.element(page.getByRole('dialog', { name: 'Mani' })).toBeVisible();
});

test('a melody without words leaves printing unchanged', async () => {
  await openWords(buildMelody('Without Words'));
  dispatchEvent(new Event('beforeprint'));
  await expectCount(page.css('.printed-words'), 0);
});
