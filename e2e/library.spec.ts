import { expectAccessible, expectNoSidewaysScroll } from './axe.ts';
import { TEACHER, expect, test } from './fixtures.ts';
import {
  addBare,
  addWhole as add,
  cardOf,
  cards,
  emptyLibrary,
  picture,
  sample,
  titles,
} from './melodies.ts';

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

test('cards stand in one, two or three columns, with two lines of description; a level shows its own alone', async ({
  signedIn,
  world,
}) => {
  const description = 'Sung in the morning, slowly, and once more when the lamps are lit. '.repeat(4);
  for (const title of ['Row I', 'Row II', 'Row III'])
    await addBare(world, title, { level: 'Lung (Reading Transmission)', description });
  await addBare(world, 'Row of another level', { level: 'Refuge' });
  const student = await world.student(undefined, ['Lung (Reading Transmission)', 'Refuge']);
  const page = await signedIn(student, { reducedMotion: 'reduce' });
  await page.goto('/melodies?q=row');
  await expect(cards(page)).toHaveCount(4);
  for (const [width, columns] of [
    [390, 1],
    [800, 2],
    [1440, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const boxes = await Promise.all((await cards(page).all()).map((card) => card.boundingBox()));
    expect(new Set(boxes.map((box) => box!.x)).size, `${width} px`).toBe(columns);
  }
  const lines = await cardOf(page, 'Row I')
    .getByText('Sung in the morning')
    .evaluate((text) => ({
      shown: text.clientHeight / parseFloat(getComputedStyle(text).lineHeight),
      isCut: text.scrollHeight > text.clientHeight,
    }));
  expect(lines.shown).toBeCloseTo(2, 1);
  expect(lines.isCut).toBe(true);

  const levels = page.getByRole('group', { name: 'Filter by transmission level' }).getByRole('button');
  await expect(levels).toHaveText(['All Melodies', 'Refuge', 'Lung (Reading Transmission)']);
  await levels.getByText('Refuge').click();
  await expect(titles(page)).toHaveText(['Row of another level']);
  await levels.getByText('All Melodies').click();
  await expect(cards(page)).toHaveCount(4);

  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll('*')].filter((element) => {
        const { transitionDuration, animationDuration } = getComputedStyle(element);
        return [transitionDuration, animationDuration].some((each) => parseFloat(each) > 0.001);
      }).length,
  );
  expect(moving, 'with reduced motion nothing moves').toBe(0);
});

test('a video opens in a tab of its own, which knows nothing of this one, from the card and the player', async ({
  signedIn,
  world,
}) => {
  await addBare(world, 'Seen Elsewhere', { vimeoUrl: `${world.url}/api/health` });
  const page = await signedIn(await world.student());
  await page.goto('/melodies');
  const link = page.getByRole('link', { name: 'Video of Seen Elsewhere (opens in a new tab)' });
  const opensElsewhere = async () => {
    await expect(link).toHaveAttribute('rel', /\bnoopener\b/);
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    expect(opened.url()).toBe(`${world.url}/api/health`);
    expect(await opened.evaluate(() => window.opener)).toBeNull();
    await opened.close();
  };
  await opensElsewhere();
  await page.getByRole('button', { name: 'Advanced Player of Seen Elsewhere' }).click();
  await expect(page.getByText('This melody has no sound of its own here.')).toBeVisible();
  await opensElsewhere();
});

test('a card whose audio cannot be loaded says so, disables play, and may be tried again', async ({
  signedIn,
  world,
}) => {
  await add(world, 'Out of Reach');
  const page = await signedIn(await world.student());
  await page.goto('/melodies');
  const card = cardOf(page, 'Out of Reach');
  await page.route('**/api/files/*type=audio', (route) => route.abort());
  await card.getByRole('button', { name: 'Play Out of Reach' }).focus();
  await page.keyboard.press('Enter');
  await expect(card.getByRole('alert')).toHaveText(
    'Audio Not Available: This audio file cannot be loaded. It may have been uploaded in a different environment.',
  );
  await expect(card.getByRole('button', { name: 'Play Out of Reach' })).toBeDisabled();
  const again = card.getByRole('button', { name: 'Try again' });
  await expect(again).toBeFocused();
  const check = async (what: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `${what}, ${colorScheme}`);
    }
  };
  await check('not available');
  await page.unroute('**/api/files/*type=audio');
  await page.keyboard.press('Enter');
  await expect(card.getByRole('alert')).toHaveCount(0);
  await expect(card.getByRole('button', { name: /^(Play|Pause) Out of Reach/ })).toBeFocused();
  await card.getByRole('button', { name: 'Play Out of Reach' }).click();
  await expect(card.getByRole('button', { name: 'Pause Out of Reach' })).toBeVisible();
  await check('playing');
});

test('an empty library offers the first melody, an empty level the next, and a failed list another try', async ({
  signedIn,
  world,
}) => {
  await emptyLibrary(world);
  const page = await signedIn(TEACHER, { viewport: { width: 1280, height: 900 } });
  const empty = page
    .getByRole('main')
    .locator('div')
    .filter({ hasText: /^No Melodies Yet/ });
  const check = async (what: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `${what}, ${colorScheme}`);
    }
  };
  await page.goto('/melodies');
  await expect(page.getByRole('heading', { name: 'No Melodies Yet' })).toBeVisible();
  await check('empty');
  await empty.getByRole('link', { name: 'Add First Melody' }).click();
  await expect(page).toHaveURL(/\/admin\/add-melody$/);

  await add(world, 'The First');
  await page.goto('/melodies');
  await page.getByRole('button', { name: 'Wang (Empowerment)' }).click();
  await expect(empty).toContainText('There are no melodies for this transmission level yet.');
  await empty.getByRole('link', { name: 'Add New Melody' }).click();
  await expect(page).toHaveURL(/\/admin\/add-melody$/);

  // What a page has missed comes of itself once it hears of others again, and the way to ask for it goes.
  await page.route('**/api/events', (route) => route.abort());
  await page.goto('/');
  await page.route('**/api/melodies', (route) => route.abort());
  await page.getByRole('link', { name: 'Melodies Library' }).first().click();
  await expect(page.getByText('The melodies could not be loaded.')).toBeVisible();
  await check('failed');
  await page.unroute('**/api/melodies');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(titles(page)).toHaveText(['The First']);
});

test('pictures are fetched as one comes near them; the lotus stands for none, and for one that fails', async ({
  signedIn,
  world,
}) => {
  const level = 'Wang (Empowerment)';
  const thumbnail = { bytes: picture.buffer, name: picture.name };
  await addBare(world, 'Far below', { level, thumbnail });
  for (let number = 1; number <= 30; number += 1) await addBare(world, `Between ${number}`, { level });
  await addBare(world, 'At the top', { level, thumbnail });
  const page = await signedIn(await world.student(undefined, [level]), {
    viewport: { width: 390, height: 800 },
  });
  const asked: string[] = [];
  page.on('request', (request) => request.url().includes('type=image') && asked.push(request.url()));
  await page.goto('/melodies');
  await expect(cards(page)).toHaveCount(32);
  await expect(cardOf(page, 'At the top').locator('img')).toHaveJSProperty('naturalWidth', 1);
  const far = cardOf(page, 'Far below');
  await expect(far.locator('img')).not.toHaveAttribute('src');
  expect(asked).toHaveLength(1);
  await expect(cardOf(page, 'Between 30').locator('img')).toHaveCount(0);
  await expect(cardOf(page, 'Between 30').locator('svg').first()).toBeVisible();

  await page.route('**/api/files/*type=image', (route) => route.abort());
  await far.scrollIntoViewIfNeeded();
  await expect(far.locator('img')).toHaveCount(0);
  expect(asked).toHaveLength(2);
  await expect(far.locator('[aria-hidden=true] svg, svg[aria-hidden=true]').first()).toBeVisible();
});
