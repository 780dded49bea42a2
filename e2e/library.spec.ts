import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './axe.ts';
import { TEACHER, expect, test, type World } from './fixtures.ts';

const sample = (name: string) => join(import.meta.dirname, '../src/testing/audio', name);
const LONG = 'Prayer to the Lineage of the Great Perfection, in Seven Branches and Many Words';
const TIBETAN = 'བླ་མ་རྒྱང་འབོད།';
const picture = {
  name: 'dot.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
};

async function add(world: World, title: string, more: Record<string, string> = {}) {
  const level = await world.level('Open to All');
  const reply = await world.teacher.form('/api/melodies', {
    title,
    transmissionLevelId: level.id,
    audioFile: { bytes: await readFile(sample('melody-cbr.mp3')), name: 'a.mp3' },
    thumbnail: { bytes: picture.buffer, name: picture.name },
    ...more,
  });
  expect(reply.status).toBe(201);
  return reply.body as { id: number; audioUrl: string; thumbnailUrl: string };
}

const cards = (page: Page) =>
  page.locator('main li').filter({ has: page.getByRole('heading', { level: 2 }) });
const titles = (page: Page) => cards(page).getByRole('heading', { level: 2 });
const inFull = async (world: World, id: number) =>
  (await world.teacher.get(`/api/melodies/${id}`)).body as Record<string, unknown>;

test('a student finds a song by its words, in Tibetan and without accents', async ({ signedIn, world }) => {
  await add(world, 'Refuge Prayer', { melodyText: 'SANGYE CHÖ DANG TSOK KYI CHOK NAM LA' });
  await add(world, TIBETAN, { description: 'Calling the Lama from Afar', melodyText: 'བླ་མ་མཁྱེན་ནོ།' });
  const page = await signedIn(await world.student());
  await page.goto('/melodies');
  const search = page.getByLabel('Search melodies');

  await search.fill('sangye cho');
  await expect(titles(page)).toHaveText(['Refuge Prayer']);
  await expect(page.getByText('1 melody found').first()).toBeVisible();
  await expect(page).toHaveURL(/q=sangye/);

  await search.fill('མཁྱེན་ནོ་');
  await expect(titles(page)).toHaveText([TIBETAN]);
  await expect(page).toHaveURL(/q=%E0/);
  await page.reload();
  await expect(search).toHaveValue('མཁྱེན་ནོ་');
  await expect(titles(page)).toHaveText([TIBETAN]);
  // A filter keeps what is searched for, and the way back both.
  await page.getByRole('button', { name: 'Open to All', exact: true }).click();
  await expect(titles(page)).toHaveText([TIBETAN]);
  await page.goBack();
  await expect(page.getByRole('button', { name: 'All Melodies' })).toHaveAttribute('aria-pressed', 'true');
  await expect(search).toHaveValue('མཁྱེན་ནོ་');

  await search.fill('མཁྱན 100%');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await page.getByRole('main').getByText('Clear the search').click();
  await expect(search).toHaveValue('');
  await expect(titles(page).filter({ hasText: 'Refuge Prayer' })).toBeVisible();
  await expect(page).toHaveURL(/melodies$/);
  await expect(page.getByRole('button', { name: /^(Edit|Delete) / })).toHaveCount(0);
});

test('the teacher edits a melody; a refused file costs nothing that was typed', async ({
  signedIn,
  world,
}) => {
  const melody = await add(world, 'Dedication', { melodyText: 'GEWA DI YI' });
  const page = await signedIn(TEACHER);
  await page.goto('/melodies');
  await page.getByRole('button', { name: 'Edit Dedication' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Melody' });
  await expect(dialog.getByLabel('Title')).toHaveValue('Dedication');
  await expect(dialog.getByRole('img', { name: 'The present thumbnail' })).toBeVisible();

  await test.step('a title is required', async () => {
    await dialog.getByLabel('Title').fill('  ');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog.getByText('Title is required')).toBeVisible();
    await expect(page.getByText('Validation Error').first()).toBeVisible();
    await expect(dialog.getByLabel('Title')).toBeFocused();
  });

  await test.step('a file that is no sound is refused where it was chosen', async () => {
    await dialog.getByLabel('Title').fill('Dedication of Merit');
    await dialog.getByLabel('Description').fill('At the end.');
    await dialog.getByLabel('Thumbnail image').setInputFiles(picture);
    await expect(dialog.getByRole('img', { name: 'Preview of the thumbnail' })).toBeVisible();
    await dialog.getByLabel('Audio file').setInputFiles(sample('html-named.wav'));
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog.getByText('Failed to update melody')).toBeVisible();
    await expect(
      page.locator('[data-field=audioFile]').getByText(/not one that a browser can play/),
    ).toBeVisible();
    await expect(dialog.getByLabel('Title')).toHaveValue('Dedication of Merit');
    await expect(dialog.getByLabel('Description')).toHaveValue('At the end.');
    await expect(dialog.getByRole('img', { name: 'Preview of the thumbnail' })).toBeVisible();
    expect(await inFull(world, melody.id)).toMatchObject({ title: 'Dedication', audioUrl: melody.audioUrl });
  });

  await test.step('what was typed is there again after a reload', async () => {
    page.once('dialog', (asked) => void asked.accept());
    await page.reload();
    await page.getByRole('button', { name: 'Edit Dedication' }).click();
    await expect(dialog.getByText('What you typed before is back.')).toBeVisible();
    await expect(dialog.getByLabel('Title')).toHaveValue('Dedication of Merit');
  });

  await test.step('new files take the place of the old ones', async () => {
    await dialog.getByLabel('Thumbnail image').setInputFiles(picture);
    await dialog.getByLabel('Audio file').setInputFiles(sample('melody.wav'));
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Melody updated successfully').first()).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole('button', { name: 'Edit Dedication of Merit' })).toBeFocused();
    const now = await inFull(world, melody.id);
    expect(now).toMatchObject({
      title: 'Dedication of Merit',
      description: 'At the end.',
      melodyText: 'GEWA DI YI',
    });
    expect(now.audioUrl).not.toBe(melody.audioUrl);
    expect(now.thumbnailUrl).not.toBe(melody.thumbnailUrl);
  });

  await test.step('and can be removed, or kept after all', async () => {
    await page.getByRole('button', { name: 'Edit Dedication of Merit' }).click();
    await expect(dialog.getByText('What you typed before is back.')).toBeHidden();
    await dialog.getByRole('button', { name: 'Remove the present picture' }).click();
    await dialog.getByRole('button', { name: 'Remove the present audio' }).click();
    await dialog.getByRole('button', { name: 'Keep the present picture' }).click();
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog).toBeHidden();
    const now = await inFull(world, melody.id);
    expect(now.audioUrl).toBeNull();
    expect(now.thumbnailUrl).not.toBeNull();
    await expect(page.getByRole('button', { name: 'Play Dedication of Merit' })).toHaveCount(0);
  });
});

test('closing the form asks before changes are discarded, and discards them all', async ({
  signedIn,
  world,
}) => {
  const melody = await add(world, 'Guru Yoga');
  const page = await signedIn(TEACHER);
  await page.goto('/melodies');
  const dialog = page.getByRole('dialog', { name: 'Edit Melody' });
  const asking = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  await page.getByRole('button', { name: 'Edit Guru Yoga' }).click();
  await dialog.getByLabel('Title').fill('Changed');
  await page.keyboard.press('Escape');
  await asking.getByRole('button', { name: 'Keep editing' }).click();
  await expect(dialog.getByLabel('Title')).toHaveValue('Changed');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await asking.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Edit Guru Yoga' }).click();
  await expect(dialog.getByLabel('Title')).toHaveValue('Guru Yoga');
  // Nothing was changed, so nothing is asked.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  expect(await inFull(world, melody.id)).toMatchObject({ title: 'Guru Yoga' });
});

test('a melody is edited and deleted by keyboard alone', async ({ signedIn, world }) => {
  const melody = await add(world, 'Long Life Prayer');
  await add(world, 'Another');
  const page = await signedIn(TEACHER);
  await page.goto('/melodies');
  const search = page.getByLabel('Search melodies');
  await search.focus();
  await page.keyboard.type('long life');
  await expect(titles(page)).toHaveText(['Long Life Prayer']);
  const edit = page.getByRole('button', { name: 'Edit Long Life Prayer' });
  for (
    let presses = 0;
    presses < 20 && !(await edit.evaluate((each) => each === document.activeElement));
    presses += 1
  )
    await page.keyboard.press('Tab');
  await expect(edit).toBeFocused();
  await page.keyboard.press('Enter');
  const title = page.getByRole('dialog').getByLabel('Title');
  await expect(title).toHaveValue('Long Life Prayer');
  await title.focus();
  await page.keyboard.press('End');
  await page.keyboard.type(' of the Lama');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Melody updated successfully').first()).toBeVisible();
  const remove = page.getByRole('button', { name: 'Delete Long Life Prayer of the Lama' });
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Tab');
  await expect(remove).toBeFocused();
  await page.keyboard.press('Enter');
  const asking = page.getByRole('alertdialog', { name: 'Delete “Long Life Prayer of the Lama”?' });
  await expect(asking).toContainText('Its audio and picture go with it.');
  await expect(asking.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Melody deleted').first()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await expect(page.locator('#content')).toBeFocused();
  expect((await world.teacher.get(`/api/melodies/${melody.id}`)).status).toBe(404);
});

test('a melody that somebody else has deleted says so', async ({ signedIn, world }) => {
  const melody = await add(world, 'Gone Already');
  const page = await signedIn(TEACHER);
  await page.goto('/melodies');
  await page.getByRole('button', { name: 'Delete Gone Already' }).click();
  await world.teacher.delete(`/api/melodies/${melody.id}`);
  const asking = page.getByRole('alertdialog');
  await asking.getByRole('button', { name: 'Delete' }).click();
  await expect(asking).toContainText('Failed to delete melody. No such melody');
  await asking.getByRole('button', { name: 'Cancel' }).click();
  await expect(titles(page).filter({ hasText: 'Gone Already' })).toHaveCount(0);
});

test('a chosen file is not left behind unasked on the page that adds melodies', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(TEACHER, { viewport: { width: 1280, height: 900 } });
  await page.goto('/admin/add-melody');
  await page.getByLabel('Title').fill('Half done');
  await page.getByLabel('Audio file').setInputFiles(sample('melody-vbr.mp3'));
  await page.getByRole('link', { name: 'Melodies Library' }).first().click();
  const asking = page.getByRole('alertdialog', { name: 'Leave without adding this melody?' });
  await asking.getByRole('button', { name: 'Stay here' }).click();
  await page.getByLabel('Transmission level').selectOption({ label: 'Open to All' });
  await page.getByRole('button', { name: 'Add Melody' }).click();
  await expect(page.getByText('has been added to the library.').first()).toBeVisible();
  const { body } = await world.teacher.get('/api/melodies?q=half+done');
  const { seeksExactly } = await inFull(world, (body as { id: number }[])[0]!.id);
  // Where there is no ffmpeg to make a copy, the teacher is told what follows from that.
  await expect(page.getByText('will be approximate')).toHaveCount(seeksExactly ? 0 : 1);
});

test('a large library is there to its last card, and begins anew with another filter', async ({
  signedIn,
  world,
}) => {
  const level = await world.level('Tri (Instruction)');
  for (let number = 1; number <= 120; number += 1)
    await world.teacher.form('/api/melodies', {
      title: `Verse ${number} of all`,
      transmissionLevelId: level.id,
    });
  const page = await signedIn(await world.student(undefined, ['Tri (Instruction)']));
  await page.goto('/melodies');
  await expect(cards(page)).toHaveCount(120);
  await expect(titles(page).last()).toHaveText('Verse 1 of all');
  const isFound = await page.evaluate(() =>
    (window as unknown as { find(text: string): boolean }).find('Verse 3 of all'),
  );
  expect(isFound, 'by the browser’s own search, far below the screen').toBe(true);
  await page.getByLabel('Search melodies').fill('verse 11 all');
  await expect(cards(page)).toHaveCount(11);
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expect(cards(page)).toHaveCount(120);
});

test('every state of the library can be used by everyone, in both themes and at 320 px', async ({
  signedIn,
  world,
}) => {
  await add(world, LONG, {
    description: LONG.repeat(3),
    melodyText: TIBETAN,
    vimeoUrl: 'https://example.org/v',
  });
  await add(world, TIBETAN.repeat(4));
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await signedIn(TEACHER, { colorScheme, viewport: { width: 320, height: 640 } });
    const check = async (what: string) => {
      await expectAccessible(page, `${what} ${colorScheme}`);
      await expectNoSidewaysScroll(page, what);
    };
    await page.goto('/melodies');
    await expect(titles(page).first()).toBeVisible();
    await check('library');
    const search = page.getByLabel('Search melodies');
    await search.fill('nothing has these words');
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
    await check('nothing found');
    await search.fill('lineage');
    await page.getByRole('button', { name: `Delete ${LONG}` }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await check('delete');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Edit ${LONG}` }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Title')).toHaveValue(LONG);
    await check('edit');
    await dialog.getByLabel('Title').fill('');
    await dialog.getByLabel('Audio file').setInputFiles(sample('om-voice.mp3'));
    await dialog.getByRole('button', { name: 'Remove the present picture' }).click();
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog.getByText('Title is required')).toBeVisible();
    await check('edit with an error');
    const width = await dialog.evaluate((each) => each.scrollWidth - each.clientWidth);
    expect(width, 'the dialog scrolls sideways').toBeLessThanOrEqual(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await check('discard');
    await page.getByRole('button', { name: 'Discard' }).click();
  }
});
