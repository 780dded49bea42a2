import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { slowConnection } from '../src/testing/slow-connection.ts';
import { tone } from '../src/testing/tone.ts';
import { expectAccessible, expectNoSidewaysScroll } from './axe.ts';
import { TEACHER, expect, test } from './fixtures.ts';
import {
  addBare,
  addWhole as add,
  cardOf,
  cards,
  inFull,
  picture,
  sample,
  titles,
  toasts,
} from './melodies.ts';

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
    await expect(toasts(page)).toContainText('Failed to update melody');
    // That sentence speaks of a level, too, and there always is one here.
    await expect(page.getByText('Validation Error')).toHaveCount(0);
    await expect(dialog.getByRole('option', { name: 'Select a level' })).toHaveCount(0);
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
    await expect(toasts(page)).toContainText('Melody updated successfully');
    await expect(dialog).toBeHidden();
    await expect(cardOf(page, 'Dedication of Merit').getByText('Melody updated successfully')).toBeVisible();
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
  // At the same moment, as keys come to a busy page.
  await dialog.getByLabel('Title').evaluate((field: HTMLInputElement) => {
    field.select();
    document.execCommand('insertText', false, 'Changed');
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  });
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
  await expect(toasts(page)).toContainText('Melody deleted');
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  const gone = page.getByRole('main').locator('[tabindex="-1"]').filter({ hasText: 'Melody deleted' });
  await expect(gone).toContainText('“Long Life Prayer of the Lama” is no longer in the library.');
  await expect(gone).toBeFocused();
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

test('what became of a melody is said in its place, and stays; another list does not miss it', async ({
  signedIn,
  world,
}) => {
  for (const title of ['Dawn I', 'Dawn II', 'Dawn III']) await addBare(world, title, { level: 'Refuge' });
  const page = await signedIn(TEACHER);
  await page.goto('/melodies?q=dawn');
  await expect(titles(page)).toHaveText(['Dawn III', 'Dawn II', 'Dawn I']);
  const items = page.locator('main [role=listitem]');

  await test.step('deleted: where its card was', async () => {
    await page.getByRole('button', { name: 'Delete Dawn II', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await expect(items).toHaveCount(3);
    await expect(items.nth(1)).toContainText('Melody deleted');
    await expect(items.nth(1)).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Advanced Player of Dawn I', exact: true })).toBeFocused();
    await page.getByLabel('Search melodies').fill('dawn i');
    await expect(cards(page)).toHaveCount(2);
    await expect(items).toHaveCount(2);
  });

  await test.step('changed so that it is in this list no more: above it', async () => {
    await page.getByRole('button', { name: 'Edit Dawn III' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Melody' });
    await dialog.getByLabel('Title').fill('Dusk');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(dialog).toBeHidden();
    await expect(titles(page)).toHaveText(['Dawn I']);
    const said = page.getByRole('main').locator('[tabindex="-1"]').filter({ hasText: 'Melody updated' });
    await expect(said).toContainText('“Dusk” is no longer in this list.');
    await expect(said).toBeFocused();
    await page.getByLabel('Search melodies').fill('dusk');
    await expect(cardOf(page, 'Dusk').getByText('Melody updated successfully')).toBeVisible();
    await expect(page.getByText('is no longer in this list')).toHaveCount(0);
  });
});

test('an MP3 in which browsers seek by guessing is told of when it takes the place of another, and in the form', async ({
  signedIn,
  world,
}) => {
  await add(world, 'Even Rate');
  const page = await signedIn(TEACHER);
  await withoutFfmpeg(page);
  await page.goto('/melodies');
  const dialog = page.getByRole('dialog', { name: 'Edit Melody' });
  const note = 'Loops and the timing of lines will be approximate';
  await page.getByRole('button', { name: 'Edit Even Rate' }).click();
  await expect(dialog.getByText(note)).toBeVisible();
  await dialog.getByLabel('Audio file').setInputFiles(sample('melody-vbr.mp3'));
  // Of the one that was chosen nothing is known yet.
  await expect(dialog.getByText(note)).toBeHidden();
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(dialog).toBeHidden();
  await expect(cardOf(page, 'Even Rate').getByText(note)).toBeVisible();
  await expectAccessible(page, 'updated, approximate');

  await page.getByRole('button', { name: 'Edit Even Rate' }).click();
  await dialog.getByLabel('Description').fill('The same sound.');
  await dialog.getByRole('button', { name: 'Save Changes' }).click();
  await expect(cardOf(page, 'Even Rate').getByText('The same sound.')).toBeVisible();
  await expect(cardOf(page, 'Even Rate').getByText(note)).toHaveCount(0);
});

test('the form that adds says what is missing, too long and too large, and loses nothing', async ({
  signedIn,
  world,
}) => {
  const page = await signedIn(TEACHER, { viewport: { width: 320, height: 640 } });
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname));
  await page.goto('/admin/add-melody');
  const title = page.getByLabel('Title');
  const submit = page.getByRole('button', { name: 'Add Melody' });

  await test.step('missing', async () => {
    await submit.click();
    await expect(page.getByText('Title is required')).toBeVisible();
    await expect(page.getByText('Transmission level is required')).toBeVisible();
    await expect(toasts(page)).toContainText('Validation Error');
    await expect(toasts(page)).toContainText('Please fill in the title and select a transmission level.');
    await expect(title).toBeFocused();
    await page.getByLabel('Transmission level').selectOption({ label: 'Open to All' });
  });

  await test.step('too long: kept as it was pasted', async () => {
    await title.fill('A'.repeat(200));
    await page.getByLabel('Description').fill('Sung slowly. '.repeat(400));
    // At once, as a paste comes; letter by letter the browser takes minutes for as much.
    await page.getByLabel('Melody text').evaluate((field: HTMLTextAreaElement, text) => {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!.call(field, text);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }, 'OM MANI PADME HUNG\n'.repeat(11_000));
    await page.getByLabel('Video URL').fill(`https://example.org/${'v'.repeat(2_000)}`);
    await expect(page.getByText('200 of 200 characters')).toBeVisible();
    await expect(page.getByText('199 characters too many: at most 5,000 can be sent.')).toBeVisible();
    await expect(page.getByText('8,999 characters too many: at most 200,000 can be sent.')).toBeVisible();
    await expect(page.getByText('20 characters too many: at most 2,000 can be sent.')).toBeVisible();
    await expect(page.getByLabel('Description')).toHaveValue('Sung slowly. '.repeat(400));
    await submit.click();
    await expect(page.getByLabel('Description')).toBeFocused();
    await title.fill('A'.repeat(201));
    await submit.click();
    await expect(title).toBeFocused();
    await expect(page.getByText('1 character too many: at most 200 can be sent.')).toBeVisible();
    await title.fill('Too Much');
    for (const field of ['Description', 'Melody text', 'Video URL']) await page.getByLabel(field).fill('');
    await expect(page.getByText('too many')).toHaveCount(0);
  });

  await test.step('too large', async () => {
    await page.getByLabel('Audio file').setInputFiles(await largeFile(100 * 1024 * 1024 + 1));
    const sentence = 'This audio file is too large. Please choose one of at most 100 MB.';
    await expect(page.getByText(sentence)).toBeVisible();
    await submit.click();
    await expect(page.getByLabel('Audio file')).toBeFocused();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `add with errors, ${colorScheme}`);
      await expectNoSidewaysScroll(page, 'add with errors');
    }
  });
  expect(sent).not.toContain('/api/melodies');
  expect((await world.teacher.get('/api/melodies?q=too+much')).body).toEqual([]);

  await test.step('what was typed is there again after a reload', async () => {
    page.once('dialog', (asked) => void asked.accept());
    await page.reload();
    await expect(title).toHaveValue('Too Much');
    await expect(page.getByLabel('Transmission level').locator('option:checked')).toHaveText('Open to All');
  });
});

test('files are dropped and looked at before they are sent, and sending outlives a broken connection', async ({
  signedIn,
  world,
}) => {
  const line = await slowConnection({
    to: world.url,
    bitsPerSecond: 50_000_000,
    upBitsPerSecond: 16_000_000,
    latencyMs: 5,
  });
  const page = await signedIn(TEACHER, { baseURL: line.url });
  await page.goto('/admin/add-melody');
  const check = async (what: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page, `${what}, ${colorScheme}`);
    }
  };
  await page.getByLabel('Title').fill('Sent Slowly');
  await page.getByLabel('Transmission level').selectOption({ label: 'Open to All' });

  await test.step('dropped', async () => {
    const sound = page.locator('[data-field=audioFile]');
    await drop(page, sound.getByText('Choose a file'), 'no-sound.wav', 'audio/wav', Buffer.from('no sound'));
    await expect(sound.getByText('no-sound.wav', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Add Melody' }).click();
    await expect(page.getByText('Failed to add melody', { exact: true }).first()).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to add melody' })).toContainText(
      'Everything you gave is still here.',
    );
    await expect(toasts(page)).toContainText('Failed to add melody');
    await expect(page.getByLabel('Audio file')).toBeFocused();
    await expect(page.getByLabel('Title')).toHaveValue('Sent Slowly');
    await check('add, refused');
    await drop(page, sound.getByText('no-sound.wav', { exact: true }), 'dropped.wav', 'audio/wav', tone(750));
    await expect(sound.getByText('dropped.wav', { exact: true })).toBeVisible();
  });

  await test.step('looked at and heard before', async () => {
    await page.getByLabel('Thumbnail image').setInputFiles(picture);
    await expect(page.getByRole('img', { name: 'Preview of the thumbnail' })).toBeVisible();
    const preview = page.getByRole('group', { name: 'dropped.wav' });
    await expect(preview).toContainText('12:30');
    await preview.getByRole('button', { name: 'Play dropped.wav' }).click();
    await expect(preview.getByRole('button', { name: 'Pause dropped.wav' })).toBeVisible();
    await preview.getByRole('button', { name: 'Pause dropped.wav' }).click();
    await check('add, files chosen');
  });

  const isToAdd = (url: URL) => url.pathname === '/api/melodies';
  const submit = page.getByRole('button', { name: 'Add Melody' });
  const size = tone(750).length;

  await test.step('the connection breaks: it waits, goes on by itself, and sends nothing twice but a chunk', async () => {
    const percentages = await watchPercentages(page);
    await page.route(isToAdd, (route) => route.abort());
    const before = line.sent();
    await submit.click();
    await expect.poll(async () => (await percentages()).at(-1) ?? 0).toBeGreaterThan(0);
    line.cut();
    await expect(page.getByText('Waiting for a connection. It goes on by itself')).toBeVisible();
    await check('add, waiting');
    line.mend();
    await expect(page.getByRole('alert').filter({ hasText: 'Failed to add melody' })).toBeVisible({
      timeout: 60_000,
    });
    const seen = await percentages();
    const onTheWay = seen.filter((percent) => percent > 0 && percent < 100);
    expect(onTheWay.length, String(seen)).toBeGreaterThan(1);
    expect(onTheWay).toEqual(onTheWay.toSorted((a, b) => a - b));
    expect(line.sent() - before).toBeLessThan(size + 2 * 1024 * 1024);
    await page.unroute(isToAdd);
  });

  await test.step('what has arrived is there for the next try', async () => {
    const before = line.sent();
    await submit.click();
    const added = page.getByRole('main').getByRole('status').filter({ hasText: 'Melody added successfully' });
    await expect(added).toContainText('“Sent Slowly” has been added to the library.');
    await expect(toasts(page)).toContainText('The new melody has been added to the library.');
    expect(line.sent() - before).toBeLessThan(1024 * 1024);
    await expect(page.getByLabel('Title')).toHaveValue('');
    await check('added');
    await added.getByRole('link', { name: 'See it in the library' }).click();
    await expect(titles(page).first()).toHaveText('Sent Slowly');
  });
  await line.end();
});

/** Answers as a server does that could make no copy, whether or not this one can. */
async function withoutFfmpeg(page: Page) {
  await page.route(/\/api\/melodies\/\d+$/, async (route) => {
    const response = await route.fetch();
    const melody = (await response.json()) as object;
    return route.fulfill({ response, json: { ...melody, seeksExactly: false } });
  });
}

/** From now on notes each percentage that is shown of an upload. */
async function watchPercentages(page: Page) {
  const seen = await page.evaluateHandle(() => {
    const seen: number[] = [];
    new MutationObserver(() => {
      const percent = document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow');
      if (percent && Number(percent) !== seen.at(-1)) seen.push(Number(percent));
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
    return seen;
  });
  return () => seen.jsonValue();
}

/** Drops a file there, and before that beside it, where nothing may come of it. */
async function drop(
  page: Page,
  place: ReturnType<Page['locator']>,
  name: string,
  type: string,
  bytes: Buffer,
) {
  const dataTransfer = await page.evaluateHandle(
    (file) => {
      const given = new DataTransfer();
      const content = Uint8Array.from(atob(file.base64), (letter) => letter.charCodeAt(0));
      given.items.add(new File([content], file.name, { type: file.type }));
      return given;
    },
    { name, type, base64: bytes.toString('base64') },
  );
  await page.getByRole('heading', { level: 1 }).dispatchEvent('drop', { dataTransfer });
  await place.dispatchEvent('drop', { dataTransfer });
}

/** On the disk it takes no room: nothing is in it. */
async function largeFile(size: number) {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-large-'));
  const path = join(folder, 'long.wav');
  const file = await open(path, 'w');
  await file.truncate(size);
  await file.close();
  largeFiles.push(folder);
  return path;
}

const largeFiles: string[] = [];
test.afterAll(() => Promise.all(largeFiles.map((folder) => rm(folder, { recursive: true }))));
