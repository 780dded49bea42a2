import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expectAccessibleWithoutOverflow } from './expect-accessible.ts';
import { expect, TEACHER_CREDENTIALS, test } from './fixtures.ts';
import { createTone } from '#testing/tone.ts';

test.use({ sharesWorld: true });

const COUNT = 6;

/**
 * Creates a folder like a real teacher's: numbers before names, words and times in separate files, one audio
 * file twice, and a table.
 */
async function makeFolder(folder: string, mark: string) {
  await mkdir(join(folder, 'words'), { recursive: true });
  for (let n = 1; n <= COUNT; n += 1) {
    await writeFile(
      join(folder, `${String(n).padStart(2, '0')} - ${mark}_${n}.wav`),
      createTone(1, 200 + n, 8000),
    );
    await writeFile(join(folder, 'words', `${mark} ${n}.txt`), `བཀྲ་ཤིས།\r\nTashi ${n}\r\n\r\nGuru ${n}`);
  }
  await writeFile(join(folder, 'words', `${mark} 2.lrc`), '[00:00.10]Tashi 2\n[00:00.60]Guru 2');
  await writeFile(join(folder, 'again.wav'), createTone(1, 201, 8000));
  await writeFile(join(folder, 'old.flac'), 'none');
  await writeFile(join(folder, `04 - ${mark}_4.png`), 'none');
  const table = `Titel;Stufe;Audio;Beschreibung\n${mark} the First;Refuge;01 - ${mark}_1.wav;"Sung; first"\n${mark} 2;Zuflucht;02 - ${mark}_2.wav;\n`;
  await writeFile(join(folder, 'songs.csv'), table);
}

async function choose(page: Page, folder: string) {
  await page.goto('/admin/add-melody');
  await page.getByRole('tab', { name: 'A folder' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a folder' }).click();
  await (await chooser).setFiles(folder);
  await expect(page.getByRole('group', { name: 'Show' })).toBeVisible();
}

test('an interrupted folder import resumes without duplicates, and can be undone', async ({
  signedIn,
  world,
}, info) => {
  const mark = `Song${crypto.randomUUID().slice(0, 8)}`;
  const folder = info.outputPath('melodies');
  await makeFolder(folder, mark);
  await world.level('Refuge');
  const added = async () => {
    const { body } = await world.teacher.get(`/api/melodies?q=${mark}`);
    return (body as { title: string }[]).map(({ title }) => title);
  };
  const page = await signedIn(TEACHER_CREDENTIALS);
  await choose(page, folder);
  const state = (n: number) => page.getByRole('row').nth(n).getByRole('cell').last();
  await expect(state(1)).toHaveText('Complete');
  await expect(page.getByText('Please choose a level for these melodies.')).toBeVisible();
  await page.getByLabel('Level for the rest').selectOption({ label: 'Open to All' });
  await expect(state(2)).toHaveText('Unknown level “Zuflucht”');
  await expect(page.getByRole('button', { name: `Add ${COUNT - 1} melodies` })).toBeEnabled();
  await page.getByLabel('“Zuflucht” · 1 melody').selectOption({ label: 'Refuge' });
  await expect(page.getByRole('button', { name: `${COUNT} complete` })).toBeVisible();
  await expect(state(COUNT + 1)).toHaveText('Same audio as row 1');
  await expect(page.getByRole('textbox', { name: 'Title in row 1', exact: true })).toHaveValue(
    `${mark} the First`,
  );
  await expectAccessibleWithoutOverflow(page, 'reviewing an import');
  expect(await added(), 'the library is empty before the import').toEqual([]);

  // Loses the response to the third call, and then leaves the page.
  let calls = 0;
  await page.route('**/api/melodies', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    calls += 1;
    if (calls < 3) return route.fallback();
    await route.fetch();
    return route.abort();
  });
  await page.getByRole('button', { name: `Add ${COUNT} melodies` }).click();
  await expect(page.getByRole('alert')).toContainText('Nothing was lost, and nothing will be added twice.');
  await expect.poll(async () => (await added()).length).toBe(3);
  await page.unroute('**/api/melodies');
  await page.goto('/melodies');

  await page.goto('/admin/add-melody');
  await page.getByRole('tab', { name: 'A folder' }).click();
  await expect(page.getByText('You have an unfinished import.')).toBeVisible();
  await choose(page, folder);
  const goOn = page.getByRole('button', { name: /^Add the remaining/ });
  // Waits until the page has determined which melodies are duplicates, because it enables the button only
  // then.
  await expect(goOn).toBeEnabled();
  await goOn.press('Enter');
  await expect(page.getByText(`${COUNT} melodies added to the library`)).toBeVisible();
  const withoutPicture = page.getByRole('row').filter({ hasText: /Added without its picture\. ./ });
  await expect(withoutPicture.getByRole('cell').nth(2)).toHaveText(`${mark} 4`);
  const focused = () => page.evaluate(() => document.activeElement?.tagName);
  await expect.poll(focused, 'focus moves on when the button disappears').not.toBe('BODY');
  const titles = await added();
  expect(titles).toHaveLength(COUNT);
  expect(titles).toContain(`${mark} the First`);
  const second = (await world.teacher.get(`/api/melodies?q=${mark}`)).body.find(
    ({ title }: { title: string }) => title === `${mark} 2`,
  );
  const { body } = await world.teacher.get(`/api/melodies/${second.id}`);
  expect(body).toMatchObject({
    melodyText: 'བཀྲ་ཤིས།\nTashi 2\n\nGuru 2',
    timings: [
      { line: 1, start: 0.1 },
      { line: 3, start: 0.6 },
    ],
    transmissionLevel: { name: 'Refuge' },
  });

  await page.getByRole('button', { name: 'Undo this import' }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Undo import' }).press('Enter');
  await expect(page.getByText('A folder with your melodies')).toBeVisible();
  expect(await added()).toEqual([]);
});
