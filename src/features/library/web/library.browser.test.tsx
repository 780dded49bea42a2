import { expect, onTestFinished, test } from 'vitest';
import { commands, type Locator } from 'vitest/browser';
import { api } from '#app/api.ts';
import {
  buildMelody,
  buildTeacher,
  buildCompleteMelody,
  mockLibrary,
  LUNG_LEVEL,
  OPEN_LEVEL,
  PICTURE_FILE_NAME,
  REFUGE_LEVEL,
} from '#testing/browser/community.ts';
import { getPageUserId, setPageUserId } from '#web/api/page-user.ts';
import { saveLastPractisedMelody } from '#features/practice/web/engine/practice-settings.ts';
import {
  mockEndpoint,
  breakConnection,
  getCalls,
  setFileState,
  holdResponses,
} from '#testing/browser/fake-api.ts';
import {
  expectAccessibleWithoutOverflow,
  expectNoHorizontalScroll,
} from '#testing/browser/expect-accessible.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import {
  expectUrl,
  expectCount,
  expectText,
  expectTexts,
  page,
  pressKeyOn,
  userEvent,
} from '#testing/browser/screen.ts';
import { findMelodyCard, melodyCards, melodyTitles } from '#testing/browser/melody-cards.ts';

const LONG = 'Prayer to the Lineage of the Great Perfection, in Seven Branches and Many Words';
const TIBETAN = 'བླ་མ་རྒྱང་འབོད།';
const search = page.getByLabelText('Search melodies');

test('a student finds melodies by Tibetan words and by words typed without accents', async () => {
  mockLibrary([
    buildCompleteMelody(TIBETAN, { description: 'Calling the Lama from Afar', melodyText: 'བླ་མ་མཁྱེན་ནོ།' }),
    buildCompleteMelody('Refuge Prayer', { melodyText: 'SANGYE CHÖ DANG TSOK KYI CHOK NAM LA' }),
  ]);
  await renderPage('/melodies');
  await search.fill('sangye cho');
  await expectTexts(melodyTitles, ['Refuge Prayer']);
  await expect.element(page.getByText('1 melody found').first()).toBeVisible();
  await expectUrl(/q=sangye/);

  await search.fill('མཁྱེན་ནོ་');
  await expectTexts(melodyTitles, [TIBETAN]);
  await expectUrl(/q=%E0/);
  await reloadPage();
  await expect.element(search).toHaveValue('མཁྱེན་ནོ་');
  await expectTexts(melodyTitles, [TIBETAN]);
  // Choosing a filter keeps the search, and going back restores the previous filter and search.
  await page.getByRole('button', { name: 'Open to All', exact: true }).click();
  await expectUrl(/level=/);
  await expectTexts(melodyTitles, [TIBETAN]);
  history.back();
  await expect
    .element(page.getByRole('button', { name: 'All Melodies' }))
    .toHaveAttribute('aria-pressed', 'true');
  await expect.element(search).toHaveValue('མཁྱེན་ནོ་');

  await search.fill('མཁྱན 100%');
  await expect.element(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  await page.getByRole('main').getByText('Clear the search').click();
  await expect.element(search).toHaveValue('');
  await expectTexts(melodyTitles, [TIBETAN, 'Refuge Prayer']);
  await expectUrl(/melodies$/);
  await expectCount(page.getByRole('button', { name: /^(Edit|Delete) / }), 0);
});

test('searches cards on the device while the server searches long texts', async () => {
  mockLibrary([
    buildMelody('Sangye', { melodyText: 'om '.repeat(70_000) }),
    buildMelody('Refuge', { melodyText: 'SANGYE CHÖ DANG TSOK' }),
    buildMelody('Tara', { description: 'Of the morning' }),
  ]);
  await renderPage('/melodies');
  await expectCount(melodyCards, 3);
  const release = holdResponses(api.melodies.list);
  await search.fill('sangye');
  await expectTexts(melodyTitles, ['Sangye']);
  const searching = page.getByText('Searching the words...');
  await expect.element(searching).toBeVisible();
  release();
  await expectTexts(melodyTitles, ['Sangye', 'Refuge']);
  await expect.element(page.getByText('2 melodies found').first()).toBeVisible();
  // More letters can only narrow the result, so the old result stays visible while the server searches.
  breakConnection(api.melodies.list, { times: 1 });
  const more = holdResponses(api.melodies.list);
  await search.fill('sangye tsok');
  await expect.element(searching).toBeVisible();
  await expectTexts(melodyTitles, ['Sangye', 'Refuge']);
  more();
  const failed = page.getByText('Couldn’t search the words of the melodies.');
  await expect.element(failed).toBeVisible();
  await expect.element(page.getByText('No title or description matches “sangye tsok”.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectTexts(melodyTitles, ['Refuge']);
  await expectCount(failed, 0);
  await search.fill('morning');
  await expectTexts(melodyTitles, ['Tara']);
});

test('short texts are prefetched, so search works offline', async () => {
  mockLibrary([buildMelody('Refuge', { melodyText: 'SANGYE CHÖ' }), buildMelody('Tara')]);
  await renderPage('/melodies');
  await expectCount(melodyCards, 2);
  await expect.poll(() => getCalls(api.melodies.list).map(({ query }) => query['view'])).toContain(undefined);
  breakConnection(api.melodies.list);
  await search.fill('cho');
  await expectTexts(melodyTitles, ['Refuge']);
  await expect.element(page.getByText('1 melody found').first()).toBeVisible();
});

test('a large library renders all its cards, even after a search is cleared', async () => {
  mockLibrary(Array.from({ length: 70 }, (_, index) => buildMelody(`Verse ${70 - index} of all`)));
  await renderPage('/melodies');
  await expectCount(melodyCards, 70);
  await expectText(melodyTitles.last(), /^Verse 1 of all$/);
  const isFound = (window as unknown as { find(text: string): boolean }).find('Verse 3 of all');
  expect(isFound, 'the browser’s own search finds a card far below the screen').toBe(true);
  await search.fill('verse 7 all');
  await expect.element(page.getByText('8 melodies found').first()).toBeVisible();
  // The cards that no longer match are hidden first and removed later.
  const visible = melodyCards.elements().filter((card) => card.checkVisibility());
  expect(visible).toHaveLength(8);
  await expectCount(melodyCards, 8);
  await page.getByRole('button', { name: 'Clear the search' }).click();
  await expectCount(melodyCards, 70);
});

test('the edit form is accessible at 320 px while it shows an error', async () => {
  mockLibrary([buildCompleteMelody(LONG, { description: LONG.repeat(3), melodyText: TIBETAN })]);
  await page.viewport(320, 640);
  await renderPage('/melodies', { user: buildTeacher() });
  await page.getByRole('button', { name: `More about ${LONG}` }).click();
  await page.getByRole('button', { name: `Edit ${LONG}` }).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByLabelText('Title')).toHaveValue(LONG);
  await dialog.getByLabelText('Title').fill('');
  await dialog
    .getByLabelText('Audio file')
    .upload(new File([new Uint8Array(2_000)], 'om.mp3', { type: 'audio/mpeg' }));
  await dialog.getByRole('button', { name: 'Remove the current picture' }).click();
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect.element(dialog.getByText('Title is required')).toBeVisible();
  await expectAccessibleWithoutOverflow('edit with an error');
  const width = dialog.element().scrollWidth - dialog.element().clientWidth;
  expect(width, 'the dialog does not scroll sideways').toBeLessThanOrEqual(0);
});

test('cards form one to three columns, and a level filter shows only that level', async () => {
  const description = 'Sung in the morning, slowly, and once more when the lamps are lit. '.repeat(4);
  mockLibrary([
    buildMelody('Row of another level', { level: REFUGE_LEVEL }),
    ...['III', 'II', 'I'].map((row) => buildMelody(`Row ${row}`, { level: LUNG_LEVEL, description })),
  ]);
  mockEndpoint(api.levels.mine, [REFUGE_LEVEL, LUNG_LEVEL]);
  await renderPage('/melodies');
  await expectCount(melodyCards, 4);
  for (const [width, columns] of [
    [390, 1],
    [800, 2],
    [1440, 3],
  ] as const) {
    await page.viewport(width, 900);
    const columnsNow = () =>
      new Set(melodyCards.elements().map((card) => card.getBoundingClientRect().x)).size;
    await expect.poll(columnsNow, { message: `${width} px` }).toBe(columns);
  }
  const text = findMelodyCard('Row I').getByText('Sung in the morning').element();
  expect(text.clientHeight / parseFloat(getComputedStyle(text).lineHeight)).toBeCloseTo(2, 1);
  expect(text.scrollHeight).toBeGreaterThan(text.clientHeight);

  const levels = page.getByRole('group', { name: 'Filter by transmission level' }).getByRole('button');
  await expectTexts(levels, ['All Melodies', 'Refuge', 'Lung (Reading Transmission)']);
  await levels.getByText('Refuge').click();
  await expectTexts(melodyTitles, ['Row of another level']);
  await levels.getByText('All Melodies').click();
  await expectCount(melodyCards, 4);

  await commands.emulateMedia({ reducedMotion: 'reduce' });
  const moving = [...document.querySelectorAll('*')].filter((element) => {
    const { transitionDuration, animationDuration } = getComputedStyle(element);
    return [transitionDuration, animationDuration].some((each) => parseFloat(each) > 0.001);
  });
  await commands.emulateMedia({ reducedMotion: null });
  expect(moving, 'with reduced motion nothing moves').toEqual([]);
});

test('a portrait picture is cropped without distortion', async () => {
  mockLibrary([buildCompleteMelody('Portrait')]);
  await renderPage('/melodies', { user: buildTeacher() });
  const picture = findMelodyCard('Portrait').css('img');
  await expect.element(picture).toBeVisible();
  const image = picture.element() as HTMLImageElement;
  image.removeAttribute('width');
  image.removeAttribute('height');
  image.src = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="900"/>')}`;
  await image.decode();
  for (const [screen, ratio] of [
    [390, 16 / 9],
    [1440, 5 / 2],
  ] as const) {
    await page.viewport(screen, 900);
    const { width, height } = image.getBoundingClientRect();
    expect(width / height, `${screen} px`).toBeCloseTo(ratio, 1);
  }
});

test('an open dialog does not reserve space for the page’s scroll bar', async () => {
  mockLibrary([buildCompleteMelody('Guru Yoga')]);
  await renderPage('/melodies', { user: buildTeacher() });
  const gutter = () => getComputedStyle(document.documentElement).scrollbarGutter;
  await findMelodyCard('Guru Yoga').getByRole('button', { name: 'Delete Guru Yoga' }).click();
  await expect.element(page.getByRole('alertdialog')).toBeVisible();
  expect(gutter()).toBe('auto');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(gutter).toBe('stable');
});

test('on a phone, melodies are rows with collapsed details', async () => {
  const plain = buildCompleteMelody('Refuge Song', {
    vimeoUrl: 'https://example.org/v',
    description: 'At dawn.',
  });
  const far = buildCompleteMelody(LONG, { level: LUNG_LEVEL });
  mockLibrary([plain, far]);
  await page.viewport(390, 844);
  await renderPage('/melodies', { user: buildTeacher() });
  const row = findMelodyCard('Refuge Song');
  await expectCount(melodyCards, 2);
  expect(row.element().getBoundingClientRect().height).toBe(86);
  const boxOf = (selector: string) => row.css(selector).first().element().getBoundingClientRect();
  expect(boxOf('img')).toMatchObject({ width: 96, height: 54 });
  const title = findMelodyCard(LONG).getByRole('heading').getByRole('button').element();
  expect(title.getBoundingClientRect().height / parseFloat(getComputedStyle(title).lineHeight)).toBe(2);
  expect(
    findMelodyCard(LONG).element().getBoundingClientRect().height,
    'a row with a two-line title is 86 px high',
  ).toBe(86);
  const badge = findMelodyCard(LONG).getByText(LUNG_LEVEL.name).element();
  expect(badge.scrollWidth, 'the level name is not truncated').toBeLessThanOrEqual(badge.clientWidth);
  const filters = page.getByRole('group', { name: 'Filter by transmission level' });
  expect(filters.element().getBoundingClientRect().height, 'the filters take one row').toBeLessThan(60);
  const lastLevel = filters.getByRole('button').last().element().getBoundingClientRect();
  expect(lastLevel.right, 'the last filter is cut off at the edge').toBeGreaterThan(innerWidth);
  expectNoHorizontalScroll('rows');

  for (const folded of ['Edit Refuge Song', 'Delete Refuge Song', 'Advanced Player: Refuge Song'])
    await expectCount(row.getByRole('button', { name: folded }), 0);
  await pressKeyOn(row.getByRole('button', { name: 'More about Refuge Song' }), 'Enter');
  await expect.element(row.getByText('At dawn.')).toBeVisible();
  await expect.element(row.getByRole('link', { name: /^Video of Refuge Song/ })).toBeVisible();
  for (const folded of ['Edit Refuge Song', 'Delete Refuge Song', 'Advanced Player: Refuge Song'])
    await expect.element(row.getByRole('button', { name: folded })).toBeVisible();
  expectNoHorizontalScroll('unfolded');

  const player = page.getByRole('dialog');
  for (const place of ['img', 'h2']) {
    const { left, top, width, height } = boxOf(place);
    const pressed = document.elementFromPoint(left + width / 2, top + height / 2);
    expect(pressed, place).toBe(row.getByRole('button', { name: 'Refuge Song', exact: true }).element());
  }
  await pressKeyOn(row.getByRole('button', { name: 'Refuge Song', exact: true }), 'Enter');
  await player.getByRole('button', { name: 'Close', exact: true }).click();
  await expectCount(player, 0);
  await expect.element(row.getByRole('button', { name: 'Refuge Song', exact: true })).toHaveFocus();
});

test.for([390, 320])('a row on a phone %d px wide has all its buttons side by side', async (width) => {
  mockLibrary([buildCompleteMelody(LONG, { level: LUNG_LEVEL })]);
  await page.viewport(width, 844);
  await renderPage('/melodies');
  const row = findMelodyCard(LONG);
  await expect.element(row.getByRole('heading')).toBeVisible();
  const names = [`Favourite: ${LONG}`, `Add to today: ${LONG}`, `More about ${LONG}`, `Play ${LONG}`];
  const boxes = names.map((name) => row.getByRole('button', { name }).element().getBoundingClientRect());
  for (const [index, box] of boxes.entries()) {
    expect(Math.min(box.width, box.height), names[index]).toBeGreaterThanOrEqual(44);
    expect(box.left, names[index]).toBeGreaterThanOrEqual(boxes[index - 1]?.right ?? 0);
  }
  if (width === 390) expect(row.element().getBoundingClientRect().height).toBe(86);
});

test('on a phone with larger text, a title, level and no-audio note are shown in full', async () => {
  document.documentElement.dataset['textSize'] = 'larger';
  onTestFinished(() => void delete document.documentElement.dataset['textSize']);
  const silent = buildMelody('Calling the Lama from Afar', { level: OPEN_LEVEL, melodyText: 'Om' });
  mockLibrary([silent]);
  await page.viewport(320, 568);
  await renderPage('/melodies');
  const row = findMelodyCard(silent.title);
  const title = row.getByRole('heading').getByRole('button');
  await expect.element(title).toBeVisible();
  await document.fonts.ready;
  for (const text of [title, row.getByText(OPEN_LEVEL.name, { exact: true }).last()]) {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight, textContent } = text.element();
    expect(scrollWidth, textContent).toBeLessThanOrEqual(clientWidth);
    // Tolerates descenders that reach a few pixels below the last line.
    expect(scrollHeight, textContent).toBeLessThan(clientHeight + 5);
  }
  const missing = row.getByText('Audio Not Available').element();
  const picture = missing.parentElement!.getBoundingClientRect();
  const note = missing.getBoundingClientRect();
  expect(note.top).toBeGreaterThanOrEqual(picture.top);
  expect(note.right).toBeLessThanOrEqual(picture.right);
});

test('on a phone in landscape, the filters are one row, and melody pictures are in view', async () => {
  mockLibrary([buildCompleteMelody('Refuge', { level: LUNG_LEVEL })]);
  await page.viewport(844, 390);
  await renderPage('/melodies');
  await expect.element(findMelodyCard('Refuge')).toBeVisible();
  const topOf = (locator: typeof melodyCards) => locator.element().getBoundingClientRect().top;
  const filters = page.getByRole('group', { name: 'Filter by transmission level' }).getByRole('button');
  expect(topOf(filters.first())).toBe(topOf(page.getByRole('button', { name: 'Favourites', exact: true })));
  expect(topOf(filters.last())).toBe(topOf(filters.first()));
  expect(topOf(findMelodyCard('Refuge'))).toBeLessThan(230);
  expectNoHorizontalScroll('filters');
});

test('a phone shows six whole rows and the favourites filter without scrolling', async () => {
  mockLibrary([
    buildMelody('Words Alone', { melodyText: 'Om' }),
    ...Array.from({ length: 8 }, (_, index) =>
      buildCompleteMelody(`Verse ${8 - index}`, { level: LUNG_LEVEL }),
    ),
  ]);
  await page.viewport(390, 844);
  await renderPage('/melodies');
  await expectCount(melodyCards, 9);
  const boxes = () => melodyCards.elements().map((card) => card.getBoundingClientRect());
  expect(boxes().filter(({ bottom }) => bottom <= 844).length).toBeGreaterThanOrEqual(6);
  await expectTexts(melodyTitles.first(), ['Verse 8']);
  await expectTexts(melodyTitles.last(), ['Words Alone']);
  const favourites = page.getByRole('button', { name: 'Favourites' }).element().getBoundingClientRect();
  expect(favourites.right).toBeLessThanOrEqual(390);

  await renderPage('/melodies', { user: buildTeacher() });
  await expectCount(melodyCards, 9);
  expect(boxes()[0]!.top, 'a teacher’s first melody begins near the top').toBeLessThan(330);
  expectNoHorizontalScroll('teacher’s rows');
});

test('on a teacher’s phone, the download button is beside the filters', async () => {
  mockLibrary([buildCompleteMelody('Refuge', { level: REFUGE_LEVEL })]);
  await page.viewport(390, 844);
  await renderPage('/melodies', { user: buildTeacher() });
  const filters = page.getByRole('group', { name: 'Filter by transmission level' });
  await expect.element(filters).toBeVisible();
  const download = page.getByRole('button', { name: 'Download the library' }).element();
  const [box, beside] = [download, filters.element()].map((each) => each.getBoundingClientRect());
  expect(box!.top).toBeLessThan(beside!.bottom);
  expect(box!.right).toBeLessThanOrEqual(390);
});

test('at 1024 px, the teacher’s search field is on the left, in line with the buttons', async () => {
  mockLibrary([buildCompleteMelody('Refuge', { level: REFUGE_LEVEL })]);
  await page.viewport(1024, 750);
  await renderPage('/melodies', { user: buildTeacher() });
  await expectCount(melodyCards, 1);
  await document.fonts.ready;
  const measure = (locator: Locator) => locator.element().getBoundingClientRect();
  const search = measure(page.getByLabelText('Search melodies'));
  const table = measure(page.getByRole('button', { name: 'Table' }));
  expect(search.left).toBe(measure(page.getByRole('heading', { level: 1 })).left);
  expect(table.top).toBeLessThan(search.bottom);
});

test.for(['', 'larger'])(
  'a row and its level badge keep their size during playback at text size “%s”',
  async (size) => {
    document.documentElement.dataset['textSize'] = size;
    onTestFinished(() => void delete document.documentElement.dataset['textSize']);
    mockLibrary([buildCompleteMelody('Refuge', { level: REFUGE_LEVEL })]);
    await page.viewport(390, 844);
    await renderPage('/melodies');
    const row = findMelodyCard('Refuge');
    await expect.element(row).toBeVisible();
    const badge = row.getByText(REFUGE_LEVEL.name, { exact: true }).last();
    const sizes = () => [row, badge].map((each) => each.element().getBoundingClientRect().toJSON() as object);
    const before = sizes();
    await row.getByRole('button', { name: 'Play Refuge' }).click();
    await expect.element(row.getByRole('button', { name: 'Pause Refuge' })).toBeVisible();
    await expect.element(row.getByText('0:01')).toBeVisible();
    expect(sizes()).toEqual(before);
  },
);

test('at 1440×900, titles in a row are aligned, and two rows of titles are visible', async () => {
  const words = 'Sung in the morning, slowly, and once more when the lamps are lit. '.repeat(3);
  mockLibrary(
    Array.from({ length: 6 }, (_, index) =>
      buildCompleteMelody(`Verse ${index}`, {
        level: index % 2 ? LUNG_LEVEL : REFUGE_LEVEL,
        description: index % 2 ? words : null,
        thumbnailUrl: index % 3 ? PICTURE_FILE_NAME : null,
      }),
    ),
  );
  await page.viewport(1440, 900);
  await renderPage('/melodies');
  await expectCount(melodyCards, 6);
  const boxes = melodyTitles.elements().map((title) => title.getBoundingClientRect());
  expect(new Set(boxes.slice(0, 3).map(({ top }) => top)).size).toBe(1);
  expect(boxes[5]!.bottom).toBeLessThan(900);
  for (const name of ['Favourite: Verse 1', 'Add to today: Verse 1'])
    expect((page.getByRole('button', { name }).element() as HTMLElement).innerText).toBe(name.split(':')[0]);
});

test('a long word without a break does not widen the page', async () => {
  mockLibrary([buildCompleteMelody('Om'.repeat(60), { description: 'mani'.repeat(40) })]);
  await renderPage('/melodies');
  await expectCount(melodyCards, 1);
  for (const width of [320, 390, 700, 1440]) {
    await page.viewport(width, 844);
    expectNoHorizontalScroll(`a long word at ${width} px`);
  }
});

test('students can list favourites and recent melodies, and a failed removal is undone', async () => {
  setPageUserId('tashi');
  const [first, second, third] = [buildMelody('First'), buildMelody('Second'), buildMelody('Third')];
  mockLibrary([third, second, first]);
  let hearts = [{ melodyId: second.id }];
  mockEndpoint(api.chosenMelodies.favourites, () => hearts);
  mockEndpoint(api.chosenMelodies.addFavourite, ({ path }) => {
    hearts = [{ melodyId: Number(path.split('/').at(-1)) }, ...hearts];
    return { message: 'Favourite added' };
  });
  breakConnection(api.chosenMelodies.removeFavourite);
  await renderPage('/melodies');
  const heartOf = (title: string) => page.getByRole('button', { name: `Favourite: ${title}` });
  await expect.element(heartOf('Second')).toHaveAttribute('aria-pressed', 'true');
  await pressKeyOn(heartOf('First'), 'Enter');
  await expect.element(heartOf('First')).toHaveAttribute('aria-pressed', 'true');
  await pressKeyOn(heartOf('Second'), 'Enter');
  await expect.element(page.getByText('Couldn’t change your favourites.')).toBeVisible();
  await expect.element(heartOf('Second')).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Favourites' }).click();
  await expectTexts(melodyTitles, ['First', 'Second']);
  await expectUrl(/own=favourites$/);
  await page.getByRole('button', { name: 'Recent' }).click();
  await expect.element(page.getByRole('heading', { name: 'Nothing practised yet' })).toBeVisible();
  saveLastPractisedMelody(getPageUserId()!, { melodyId: first.id, line: null, rate: 1 });
  saveLastPractisedMelody(getPageUserId()!, { melodyId: third.id, line: null, rate: 1 });
  await reloadPage();
  await expectTexts(melodyTitles, ['Third', 'First']);
  await page.getByRole('button', { name: 'All Melodies' }).click();
  await expectTexts(melodyTitles, ['Third', 'Second', 'First']);

  await renderPage('/melodies', { user: buildTeacher() });
  await expectTexts(melodyTitles, ['Third', 'Second', 'First']);
  await expectCount(heartOf('First'), 0);
  await expectCount(page.getByRole('group', { name: 'Your melodies' }), 0);
});

test('a card reports audio that failed to load, and “Try again” loads the audio', async () => {
  const melody = buildCompleteMelody('Out of Reach', { audioUrl: 'not-there-yet.wav' });
  mockLibrary([melody]);
  await renderPage('/melodies');
  const card = findMelodyCard('Out of Reach');
  await pressKeyOn(card.getByRole('button', { name: 'Play Out of Reach' }), 'Enter');
  await expectText(
    card.getByRole('alert'),
    /^Audio Not Available: This audio file cannot be loaded\. It may have been uploaded in a different environment\./,
  );
  await expect.element(card.getByRole('button', { name: 'Play Out of Reach' })).toBeDisabled();
  await expect.element(card.getByRole('button', { name: 'Try again' })).toHaveFocus();
  await setFileState('not-there-yet.wav', 'there');
  await userEvent.keyboard('{Enter}');
  await expectCount(card.getByRole('alert'), 0);
  await expect.element(card.getByRole('button', { name: /^(Play|Pause) Out of Reach/ })).toHaveFocus();
  await card.getByRole('button', { name: 'Play Out of Reach' }).click();
  await expect.element(card.getByRole('button', { name: 'Pause Out of Reach' })).toBeVisible();
});

test('the card of a melody without audio says so and disables Play', async () => {
  mockLibrary([buildMelody('Words Alone', { melodyText: 'Om' })]);
  await renderPage('/melodies');
  const card = findMelodyCard('Words Alone');
  for (const width of [1440, 390]) {
    await page.viewport(width, 844);
    await expect.element(card.getByText('Audio Not Available', { exact: true })).toBeVisible();
    await expect.element(card.getByRole('button', { name: 'Play Words Alone' })).toBeDisabled();
  }
  expectNoHorizontalScroll('without audio');
});

test('an empty library, an empty level and a failed request offer a next step', async () => {
  const user = buildTeacher();
  const empty = page.getByRole('main').getByText(/^No Melodies Yet/);
  await renderPage('/melodies', { user });
  await expect.element(page.getByRole('heading', { name: 'No Melodies Yet' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Add First Melody' }).click();
  await expectUrl(/\/admin\/add-melody$/);

  mockLibrary([buildCompleteMelody('The First')]);
  await renderPage('/melodies', { user });
  await page.getByRole('button', { name: 'Wang (Empowerment)' }).click();
  await expect.element(empty).toBeVisible();
  await expect
    .element(page.getByText('There are no melodies for this transmission level yet.'))
    .toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Add New Melody' }).last().click();
  await expectUrl(/\/admin\/add-melody$/);

  breakConnection(api.melodies.list, { times: 1 });
  await renderPage('/melodies', { user });
  await expect.element(page.getByText('Couldn’t load the melodies.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectTexts(melodyTitles, ['The First']);
});

test('pictures load when near the screen, and a lotus replaces missing pictures', async () => {
  const none = Array.from({ length: 30 }, (_, number) => buildMelody(`Between ${30 - number}`));
  mockLibrary([
    buildMelody('At the top', { thumbnailUrl: PICTURE_FILE_NAME }),
    ...none,
    buildMelody('Far below', { thumbnailUrl: 'missing.png' }),
  ]);
  await page.viewport(390, 800);
  await renderPage('/melodies');
  await expectCount(melodyCards, 32);
  const top = findMelodyCard('At the top').css('img');
  await expect.poll(() => (top.element() as HTMLImageElement).naturalWidth).toBe(1);
  const far = findMelodyCard('Far below');
  await expect.element(far.css('img')).not.toHaveAttribute('src');
  await expectCount(findMelodyCard('Between 30').css('img'), 0);
  await expect.element(findMelodyCard('Between 30').css('svg').first()).toBeVisible();

  far.element().scrollIntoView();
  await expectCount(far.css('img'), 0);
  await expect.element(far.css('svg[aria-hidden=true], [aria-hidden=true] svg').first()).toBeVisible();
  const asked = () =>
    performance.getEntriesByType('resource').filter(({ name }) => name.includes('missing.png'));
  await expect.poll(asked).not.toEqual([]);
});

test('a video opens in a new tab that cannot access the app’s tab', async () => {
  mockLibrary([buildMelody('Seen Elsewhere', { vimeoUrl: 'https://example.org/video' })]);
  await renderPage('/melodies');
  const link = page.getByRole('link', { name: 'Video of Seen Elsewhere (opens in a new tab)' });
  const opensElsewhere = async () => {
    await expect.element(link).toHaveAttribute('rel', expect.stringMatching(/\bnoopener\b/));
    await expect.element(link).toHaveAttribute('target', '_blank');
    await expect.element(link).toHaveAttribute('href', 'https://example.org/video');
  };
  await opensElsewhere();
  await page.getByRole('button', { name: 'Advanced Player: Seen Elsewhere' }).click();
  await expect.element(page.getByRole('dialog').getByText('Audio Not Available')).toBeVisible();
  await opensElsewhere();
});
