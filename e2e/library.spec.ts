import { expectAccessible, expectNoSidewaysScroll } from './axe.ts';
import { TEACHER, expect, test } from './fixtures.ts';
import { addWhole as add, cards, sample, titles } from './melodies.ts';

const LONG = 'Prayer to the Lineage of the Great Perfection, in Seven Branches and Many Words';
const TIBETAN = 'བླ་མ་རྒྱང་འབོད།';

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
