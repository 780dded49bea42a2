import { beforeEach, expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildMelody, buildTeacher, fetchToneFile } from '#testing/browser/community.ts';
import { mockEndpoint, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page } from '#testing/browser/screen.ts';
import { mockUploads } from '#testing/browser/uploads.ts';

const user = buildTeacher();
const rows = page.css('tbody tr');
const statusOf = (title: string) =>
  rows.filter({ has: page.getByRole('checkbox', { name: `Add ${title}` }) }).css('td:last-child');

beforeEach(() => {
  mockUploads();
  mockEndpoint(api.melodyImports.list, []);
  mockEndpoint(api.melodyImports.known, { sounds: [], titles: [] });
  mockEndpoint(api.melodies.add, ({ body }) => buildMelody(body['title'] as string));
});

/** Opens the import and chooses these files. */
async function choose(...files: File[]) {
  await renderPage('/admin/add-melody', { user });
  await page.getByRole('tab', { name: 'A folder' }).click();
  const input = page.css('input[aria-label="Choose files"]');
  await expectCount(input, 1);
  const list = new DataTransfer();
  for (const file of files) list.items.add(file);
  const element = input.element() as HTMLInputElement;
  element.files = list.files;
  element.dispatchEvent(new Event('change', { bubbles: true }));
  await expect.element(page.getByRole('group', { name: 'Show' })).toBeVisible();
}

/**
 * Creates an audio file. Its length depends on its name by default, because files with the same audio are
 * duplicates.
 */
const song = (name: string, seconds = name.length) => fetchToneFile(`${name}.wav`, seconds);

/**
 * Returns a file that can't be read after `move` is called, as if the teacher had moved it after choosing it.
 */
async function movedLater(name: string) {
  const file = await song(name);
  const slice = file.slice.bind(file);
  let isGone = false;
  const gone = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
  Object.defineProperty(file, 'slice', {
    value: (...part: Parameters<typeof slice>) => (isGone ? { arrayBuffer: gone } : slice(...part)),
  });
  return { file, move: () => (isGone = true) };
}

const chooseLevel = () => page.getByLabelText('Level for all').selectOptions('Open to All');

test('before adding anything, lists the files that can’t be used', async () => {
  await choose(
    await song('Refuge'),
    new File([], 'Empty.wav'),
    new File(['%PDF-1.7'], 'Paper.mp3'),
    new File(['x'], 'Old.flac'),
  );
  await chooseLevel();
  await expectText(statusOf('Refuge'), 'Words missing');
  await expectText(statusOf('Empty'), 'This file is empty. Please choose another one.');
  await expectText(statusOf('Paper'), /^This/);
  await expect.element(page.getByRole('checkbox', { name: 'Add Empty' })).toBeDisabled();
  const left = page.getByText('1 file can’t be used');
  await left.click();
  await expect.element(page.getByText('Old.flac (not MP3, WAV or M4A)')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Add 1 melody' })).toBeEnabled();
  await expectAccessibleWithoutOverflow('the review of an import');
});

test('a words file that the table names is not listed as unused', async () => {
  await choose(
    await song('Refuge'),
    new File(['Title,Words\nRefuge,verses.txt'], 'songs.csv'),
    new File(['Namo'], 'verses.txt'),
    new File(['Guru'], 'other.txt'),
  );
  await page.getByText('1 file can’t be used').click();
  await expect.element(page.getByText('other.txt (no melody has this name)')).toBeVisible();
});

test('shows which melody could not be added, and adds the others', async () => {
  const { file, move } = await movedLater('Mani');
  await choose(file, await song('Refuge'), await song('Tārās'));
  await chooseLevel();
  const add = page.getByRole('button', { name: 'Add 3 melodies' });
  await expect.element(add).toBeEnabled();
  move();
  await add.click();
  await expect
    .element(
      page.getByRole('status').filter({ hasText: '2 melodies added to the library, 1 not added: “Mani”' }),
    )
    .toBeVisible();
  await expectText(statusOf('Mani'), 'This file can’t be read. Please choose the folder again.');
  expect(getCalls(api.melodies.add).map(({ body }) => body['title'])).toEqual(['Refuge', 'Tārās']);
  await expect.element(page.getByRole('button', { name: 'Try 1 melody again' })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Undo this import' })).toBeVisible();
});

test('a melody that the server rejects can be sent again', async () => {
  await choose(await song('Refuge'));
  await chooseLevel();
  rejectCalls(api.melodies.add, 415, { message: 'This file is damaged.', times: 1 });
  await page.getByRole('button', { name: 'Add 1 melody' }).click();
  await expectText(statusOf('Refuge'), 'Failed to add melody. This file is damaged.');
  await page.getByRole('button', { name: 'Try 1 melody again' }).click();
  await expect.element(page.getByText('1 melody added to the library', { exact: true })).toBeVisible();
});

test('undoing an import shows how many melodies were removed', async () => {
  await choose(await song('Refuge'), await song('Tārās'));
  await chooseLevel();
  await page.getByRole('button', { name: 'Add 2 melodies' }).click();
  mockEndpoint(api.melodyImports.undo, { message: 'Import undone' });
  await page.getByRole('button', { name: 'Undo this import' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo import' }).click();
  await expect.element(page.getByText('2 melodies were removed from the library.')).toBeVisible();
  await expect.element(page.getByText('A folder with your melodies')).toBeVisible();
});

test('a desktop screen shows twelve melodies without scrolling', async () => {
  await page.viewport(1440, 900);
  await choose(
    ...(await Promise.all(Array.from({ length: 20 }, (_, n) => song(`Song ${n + 1}`, 1 + n / 10)))),
  );
  await chooseLevel();
  await expectCount(rows, 20);
  const bar = page.getByRole('button', { name: 'Add 20 melodies' });
  await expect.element(bar).toBeEnabled();
  const top = () => bar.element().closest('.sticky')!.getBoundingClientRect().top;
  const bottom = () => rows.nth(11).element().getBoundingClientRect().bottom;
  await expect.poll(() => scrollY).toBe(0);
  expect(bottom()).toBeLessThanOrEqual(top());
});
