import { describe, expect, test } from 'vitest';
import type { Locator } from 'vitest/browser';
import { api } from '#app/api.ts';
import {
  buildMelody,
  buildTeacher,
  buildCompleteMelody,
  mockLibrary,
  type MelodyFixture,
  OPEN_LEVEL,
  PICTURE_FILE_NAME,
  REFUGE_LEVEL,
  fetchToneFile,
  getToneFileName,
} from '#testing/browser/community.ts';
import { fakeInspectionProgress } from '#testing/browser/inspection-progress.ts';
import { mockEndpoint, getCalls, holdResponses, rejectCalls } from '#testing/browser/fake-api.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { findMelodyCard, melodyCards, melodyTitles } from '#testing/browser/melody-cards.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import {
  chooseFile,
  expectCount,
  expectText,
  expectTexts,
  page,
  pressKeyOn,
  toastItem,
  userEvent,
} from '#testing/browser/screen.ts';
import { mockUploads } from '#testing/browser/uploads.ts';

/** Sets the whole text in one step, like a paste. Typing a long text takes minutes in a browser. */
function paste(into: Locator, text: string) {
  const field = into.element() as HTMLTextAreaElement;
  const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!.set!;
  set.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

const user = buildTeacher();
const dialog = page.getByRole('dialog', { name: 'Edit Melody' });
const title = dialog.getByLabelText('Title');
const save = dialog.getByRole('button', { name: 'Save Changes' });
const fetched = async (name: string, type: string) =>
  new File([await (await fetch(`/api/files/${name}`)).arrayBuffer()], name, { type });
const picture = () => fetched(PICTURE_FILE_NAME, 'image/png');
const wav = () => fetched(getToneFileName(1), 'audio/wav');
const mp3 = () => new File(['ID3', new Uint8Array(4_000)], 'song.mp3', { type: 'audio/mpeg' });

/** Mocks a library whose melodies can be changed and deleted. */
function changeable(melodies: MelodyFixture[]) {
  let all = melodies;
  const show = () => mockLibrary(all);
  show();
  mockEndpoint(api.melodies.change, ({ path, body }) => {
    const id = Number(path.split('/').at(-1));
    const { title: newTitle, description } = body as Record<string, string | undefined>;
    all = all.map((each) =>
      each.id === id
        ? {
            ...each,
            ...(body['audioUploadId'] !== undefined && { audioUrl: getToneFileName(19), duration: 19 }),
            ...(body['removeAudio'] !== undefined && { audioUrl: null, duration: null }),
            ...(newTitle && { title: newTitle }),
            ...(description && { description }),
          }
        : each,
    );
    show();
    return all.find((each) => each.id === id)!;
  });
  mockEndpoint(api.melodies.remove, ({ path }) => {
    all = all.filter(({ id }) => !path.endsWith(`/${id}`));
    show();
    return { message: 'Deleted' };
  });
}

test('closing the edit form asks before discarding changes', async () => {
  changeable([buildCompleteMelody('Guru Yoga')]);
  await renderPage('/melodies', { user });
  const asking = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  const edit = page.getByRole('button', { name: 'Edit Guru Yoga' });
  await edit.click();
  await expect.element(title).toHaveValue('Guru Yoga');
  // Types text and presses Escape in the same task, as when the user types while the page is busy.
  const field = title.element() as HTMLInputElement;
  field.focus();
  field.select();
  document.execCommand('insertText', false, 'Changed');
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await asking.getByRole('button', { name: 'Keep editing' }).click();
  await expect.element(title).toHaveValue('Changed');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await asking.getByRole('button', { name: 'Discard' }).click();
  await expectCount(dialog, 0);
  await edit.click();
  await expect.element(title).toHaveValue('Guru Yoga');
  // An unchanged form closes without asking.
  await userEvent.keyboard('{Escape}');
  await expectCount(dialog, 0);
  expect(getCalls(api.melodies.change)).toEqual([]);
});

test.each([1440, 1920])('the edit form has equal margins on a screen %i px wide', async (width) => {
  await page.viewport(width, 900);
  changeable([buildCompleteMelody('Guru Yoga')]);
  await renderPage('/melodies', { user });
  await page.getByRole('button', { name: 'Edit Guru Yoga' }).click();
  await expect.element(title).toHaveValue('Guru Yoga');
  const left = title.element().getBoundingClientRect().left;
  const { right } = dialog.getByLabelText('Melody text').element().getBoundingClientRect();
  expect(Math.abs(left - (width - right))).toBeLessThanOrEqual(40);
});

test('a melody can be edited and deleted with only the keyboard', async () => {
  changeable([buildCompleteMelody('Another'), buildCompleteMelody('Long Life Prayer')]);
  await renderPage('/melodies', { user });
  const search = page.getByLabelText('Search melodies');
  await expect.element(search).toBeVisible();
  (search.element() as HTMLElement).focus();
  await userEvent.keyboard('long life');
  await expectTexts(melodyTitles, ['Long Life Prayer']);
  const edit = page.getByRole('button', { name: 'Edit Long Life Prayer' });
  for (let presses = 0; presses < 20 && document.activeElement !== edit.element(); presses += 1)
    await userEvent.keyboard('{Tab}');
  await expect.element(edit).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(title).toHaveValue('Long Life Prayer');
  (title.element() as HTMLElement).focus();
  await userEvent.keyboard('{End} of the Lama{Enter}');
  await expect.element(page.getByText('Melody updated successfully').first()).toBeVisible();
  const remove = page.getByRole('button', { name: 'Delete Long Life Prayer of the Lama' });
  await expectCount(page.getByRole('dialog'), 0);
  await expect.element(page.getByRole('button', { name: 'Edit Long Life Prayer of the Lama' })).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  await expect.element(remove).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  const asking = page.getByRole('alertdialog', { name: 'Delete “Long Life Prayer of the Lama”?' });
  await expectText(asking, 'Its audio and picture will be deleted too and can’t be recovered.');
  await expect.element(asking.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await userEvent.keyboard('{Tab}{Enter}');
  await expectText(toastItem, 'Melody deleted');
  await expect.element(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible();
  const gone = page.css('main [tabindex="-1"]').filter({ hasText: 'Melody deleted' });
  await expectText(gone, '“Long Life Prayer of the Lama” is no longer in the library.');
  await expect.element(gone).toHaveFocus();
});

test('deleting a melody that is already gone succeeds', async () => {
  changeable([buildCompleteMelody('Gone Already')]);
  await renderPage('/melodies', { user });
  await page.getByRole('button', { name: 'Delete Gone Already' }).click();
  rejectCalls(api.melodies.remove, 404, { message: 'This melody no longer exists.' });
  mockLibrary([]);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expectText(toastItem, 'Melody deleted');
  await expectCount(page.getByRole('alertdialog'), 0);
  await expectCount(melodyTitles.filter({ hasText: 'Gone Already' }), 0);
});

test('shows a message after a melody was deleted or a change removed it from the list', async () => {
  changeable(
    ['Dawn I', 'Dawn II', 'Dawn III'].map((name) => buildMelody(name, { level: REFUGE_LEVEL })).reverse(),
  );
  await renderPage('/melodies?q=dawn', { user });
  await expectTexts(melodyTitles, ['Dawn III', 'Dawn II', 'Dawn I']);
  const items = page.css('main [role=listitem]');

  // After deleting, the message replaces the melody's card.
  await page.getByRole('button', { name: 'Delete Dawn II', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expectCount(items, 3);
  await expectText(items.nth(1), 'Melody deleted');
  await expect.element(items.nth(1)).toHaveFocus();
  await userEvent.keyboard('{Tab}');
  await expect.element(page.getByRole('button', { name: 'Dawn I', exact: true })).toHaveFocus();
  await page.getByLabelText('Search melodies').fill('dawn i');
  await expectCount(melodyCards, 2);
  await expectCount(items, 2);

  // After a change that removes the melody from this list, the message is above the list.
  await page.getByRole('button', { name: 'Edit Dawn III' }).click();
  await title.fill('Dusk');
  await save.click();
  await expectCount(dialog, 0);
  await expectTexts(melodyTitles, ['Dawn I']);
  const said = page.css('main [tabindex="-1"]').filter({ hasText: 'Melody updated' });
  await expectText(said, '“Dusk” is no longer in this list.');
  await expect.element(said).toHaveFocus();
  await page.getByLabelText('Search melodies').fill('dusk');
  await expect.element(findMelodyCard('Dusk').getByText('Melody updated successfully')).toBeVisible();
  await expectCount(page.getByText('is no longer in this list'), 0);
});

test('the edit form keeps what the teacher typed if a file is rejected', async () => {
  mockUploads();
  changeable([buildCompleteMelody('Dedication', { melodyText: 'GEWA DI YI' })]);
  await renderPage('/melodies', { user });
  const edit = page.getByRole('button', { name: 'Edit Dedication' });
  const description = dialog.getByLabelText('Description');
  const more = dialog.getByRole('button', { name: 'Description, picture and video' });
  const isBack = dialog.getByText('Your unsaved changes are back.');
  const preview = dialog.getByRole('img', { name: 'Preview of the picture' });
  const choose = async (field: string, file: File) => userEvent.upload(dialog.getByLabelText(field), file);
  // Uses the keyboard, because a toast may cover the button.
  const submit = () => pressKeyOn(save, 'Enter');
  const lastSent = () => getCalls(api.melodies.change).at(-1)?.body;
  await edit.click();
  await expect.element(title).toHaveValue('Dedication');
  // A section with a value starts expanded.
  await expect.element(more).toHaveAttribute('aria-expanded', 'true');
  await expect.element(dialog.getByRole('img', { name: 'The current picture' })).toBeVisible();

  // A title is required.
  await title.fill('  ');
  await submit();
  await expect.element(dialog.getByText('Title is required')).toBeVisible();
  await expectText(toastItem, 'Failed to update melody');
  // The add form's validation toast is not shown. It mentions the level, which an existing melody always has.
  expect(page.getByText('Validation Error').elements()).toEqual([]);
  await expectCount(dialog.getByRole('option', { name: 'Select a level' }), 0);
  await expect.element(title).toHaveFocus();
  await title.fill('D');
  await expectCount(dialog.getByText('Title is required'), 0);

  // A file that is not audio is rejected at its field.
  const refusal = 'This isn’t an audio file that we can play.';
  await title.fill('Dedication of Merit');
  await description.fill('At the end.');
  await choose('Thumbnail image', await picture());
  await expect.element(preview).toBeVisible();
  await choose('Audio file', await wav());
  rejectCalls(api.melodies.change, 415, {
    message: refusal,
    issues: [{ path: 'audioFile', message: refusal }],
    times: 1,
  });
  await submit();
  await expect.element(dialog.getByText('Failed to update melody')).toBeVisible();
  await expect.element(page.css('[data-field=audioFile]').getByText(refusal)).toBeVisible();
  await expect.element(title).toHaveValue('Dedication of Merit');
  await expect.element(description).toHaveValue('At the end.');
  await expect.element(preview).toBeVisible();

  // Typed text is restored after a reload.
  await reloadPage();
  await edit.click();
  await expect.element(isBack).toBeVisible();
  await expect.element(title).toHaveValue('Dedication of Merit');

  // New files replace the current files.
  await choose('Thumbnail image', await picture());
  await choose('Audio file', await wav());
  await submit();
  await expectText(toastItem, 'Melody updated successfully');
  await expectCount(dialog, 0);
  const card = findMelodyCard('Dedication of Merit');
  await expect.element(card.getByText('Melody updated successfully')).toBeVisible();
  await expect.element(card.getByRole('button', { name: /^Edit/ })).toHaveFocus();
  const upload = expect.any(String) as unknown;
  expect(lastSent()).toMatchObject({ audioUploadId: upload, thumbnailUploadId: upload });
  expect(lastSent()).not.toHaveProperty('melodyText');

  // Files can be removed, or kept after all.
  await card.getByRole('button', { name: /^Edit/ }).click();
  await expect.element(title).toHaveValue('Dedication of Merit');
  await expectCount(isBack, 0);
  await dialog.getByRole('button', { name: 'Remove the current picture' }).click();
  await dialog.getByRole('button', { name: 'Remove the current audio' }).click();
  await dialog.getByRole('button', { name: 'Keep the current picture' }).click();
  await submit();
  await expectCount(dialog, 0);
  expect(lastSent()).toMatchObject({ removeAudio: 'true' });
  expect(lastSent()).not.toHaveProperty('removeThumbnail');
  await expect.element(page.getByRole('button', { name: 'Play Dedication of Merit' })).toBeDisabled();
});

test('the edit form warns about an MP3 in which browsers can’t seek exactly', async () => {
  changeable([buildCompleteMelody('Even Rate', { seeksExactly: false })]);
  mockUploads();
  await renderPage('/melodies', { user });
  const note = 'Loops and line timing will be approximate';
  const edit = page.getByRole('button', { name: 'Edit Even Rate' });
  await edit.click();
  await expect.element(dialog.getByText(note)).toBeVisible();
  await userEvent.upload(dialog.getByLabelText('Audio file'), mp3());
  // The notice is hidden for the newly chosen file, which the server has not inspected yet.
  await expectCount(dialog.getByText(note), 0);
  await save.click();
  await expectCount(dialog, 0);
  await expect.element(findMelodyCard('Even Rate').getByText(note)).toBeVisible();

  await edit.click();
  await dialog.getByLabelText('Description').fill('The same sound.');
  await save.click();
  await expect.element(findMelodyCard('Even Rate').getByText('The same sound.')).toBeVisible();
  await expectCount(findMelodyCard('Even Rate').getByText(note), 0);
});

describe('the form that adds a melody', () => {
  const added = page.getByLabelText('Title');
  const submit = page.getByRole('button', { name: 'Add Melody', exact: true });

  test('the add form reports missing, too long and too large values, and keeps the text', async () => {
    await renderPage('/admin/add-melody', { user });
    await submit.click();
    await expect.element(page.getByText('Title is required')).toBeVisible();
    await expect.element(page.getByText('Transmission level is required')).toBeVisible();
    await expectText(toastItem, 'Validation Error');
    await expectText(toastItem, 'Please fill in the title and select a transmission level.');
    await expect.element(added).toHaveFocus();
    // A corrected field loses its error. The other fields keep theirs.
    await page.getByLabelText('Transmission level').selectOptions('Open to All');
    await expectCount(page.getByText('Transmission level is required'), 0);
    await expect.element(page.getByText('Title is required')).toBeVisible();
    const more = page.getByRole('button', { name: 'Description, picture and video' });
    await expect.element(more).toHaveAttribute('aria-expanded', 'false');
    await more.click();

    // Values that are too long are kept as pasted.
    await added.fill('A'.repeat(200));
    const description = page.getByLabelText('Description');
    paste(description, 'Sung slowly. '.repeat(400));
    paste(page.getByLabelText('Melody text'), 'OM MANI PADME HUNG '.repeat(11_000));
    await page.getByLabelText('Video URL').fill(`https://example.org/${'v'.repeat(2_000)}`);
    for (const said of [
      '200 of 200 characters',
      '199 characters too long. The limit is 5,000.',
      '8,999 characters too long. The limit is 200,000.',
      '20 characters too long. The limit is 2,000.',
    ])
      await expect.element(page.getByText(said)).toBeVisible();
    await expect.element(description).toHaveValue('Sung slowly. '.repeat(400));
    paste(page.getByLabelText('Melody text'), '');
    // A section with an error stays open.
    await more.click();
    await submit.click();
    await expect.element(description).toHaveFocus();
    await added.fill('A'.repeat(201));
    await submit.click();
    await expect.element(added).toHaveFocus();
    await expect.element(page.getByText('1 character too long. The limit is 200.')).toBeVisible();
    await added.fill('Too Much');
    paste(description, '');
    await page.getByLabelText('Video URL').fill('');
    await expectCount(page.getByText('too long'), 0);

    // The audio file is too large.
    const large = new File([new Uint8Array(4)], 'long.wav', { type: 'audio/wav' });
    Object.defineProperty(large, 'size', { value: 100 * 1024 * 1024 + 1 });
    const input = page.getByLabelText('Audio file').element() as HTMLInputElement;
    Object.defineProperty(input, 'files', { value: [large], configurable: true });
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await expect
      .element(page.getByText('This audio file is too large. Please choose a file of up to 100 MB.'))
      .toBeVisible();
    await submit.click();
    await expect.element(page.getByLabelText('Audio file')).toHaveFocus();
    await expectAccessibleWithoutOverflow('add with errors');
    expect(getCalls(api.melodies.add)).toEqual([]);

    // Typed text is restored after a reload.
    await reloadPage();
    await expect.element(added).toHaveValue('Too Much');
    await expect.element(page.getByLabelText('Transmission level')).toHaveValue(String(OPEN_LEVEL.id));
  });

  test('the add form takes the title from the audio file chosen last', async () => {
    await renderPage('/admin/add-melody', { user });
    const input = page.getByLabelText('Audio file');
    await expect.element(input).toBeInTheDocument();
    const files = [await fetchToneFile('Chosen by mistake.wav', 3), await fetchToneFile('Meant.wav', 2)];
    for (const file of files) chooseFile(input, file);
    await expect.element(added).toHaveValue('Meant');
  });

  test('the add form fills in title, words and times from files, and keeps the level', async () => {
    mockUploads();
    mockEndpoint(api.melodies.add, ({ body }) => {
      const melody = buildCompleteMelody(body['title'] as string);
      mockLibrary([melody]);
      return melody;
    });
    await renderPage('/admin/add-melody', { user });
    await userEvent.upload(
      page.getByLabelText('Audio file'),
      await fetchToneFile('03 - Seven_Line Prayer.wav', 3),
    );
    await expect.element(added).toHaveValue('Seven Line Prayer');
    await userEvent.upload(page.getByLabelText('Audio file'), await fetchToneFile('other.wav', 2));

    const lrc = page.getByLabelText('Timing file (LRC)');
    await userEvent.upload(lrc, new File(['Hung\nOrgyen yul'], 'words.lrc'));
    await expect.element(page.getByText(/^It has no times/)).toBeVisible();
    await userEvent.upload(lrc, new File(['[00:01.00]Hung\n[00:02.50]Orgyen yul'], 'words.lrc'));
    await expect.element(page.getByLabelText('Melody text')).toHaveValue('Hung\nOrgyen yul');
    await expect.element(page.getByText('2 of 2 lines are timed.')).toBeVisible();
    // The line numbers sent with the times count all lines of the text, including blank ones.
    const words = '\n\nbo: ཧཱུྃ\nHung\nen: The syllable\nOrgyen yul\nPema gesar';
    await page.getByLabelText('Melody text').fill(words);
    await expect.element(page.getByText('2 of 3 lines are timed.')).toBeVisible();
    await page.getByRole('button', { name: 'Preview of the words' }).click();
    const look = page.getByRole('region', { name: 'Preview of the words' });
    await expect.element(look.getByText('Pema gesar')).toBeVisible();
    await expect.element(look.getByText('The syllable')).toBeVisible();
    await expect.element(look.getByRole('checkbox', { name: 'Tibetan' })).toBeVisible();
    await expectAccessibleWithoutOverflow('a melody with words, times and a look at them');

    await page.getByLabelText('Transmission level').selectOptions('Open to All');
    await submit.click();
    await expectText(page.getByRole('main'), '“Seven Line Prayer” has been added to the library.');
    const [{ body } = { body: {} }] = getCalls(api.melodies.add);
    expect(body).toMatchObject({
      melodyText: words,
      timings: '[{"line":2,"start":1},{"line":5,"start":2.5}]',
    });
    await expect.element(added).toHaveValue('');
    await expect.element(page.getByLabelText('Melody text')).toHaveValue('');
    await expectCount(page.getByText('lines are timed'), 0);
    await expect.element(page.getByLabelText('Transmission level')).toHaveValue(String(OPEN_LEVEL.id));
    await added.fill('Typed first');
    await userEvent.upload(page.getByLabelText('Audio file'), await fetchToneFile('Named later.wav', 2));
    await expect.element(page.getByText('Named later.wav', { exact: true })).toBeVisible();
    await expect.element(added).toHaveValue('Typed first');
  });

  const main = page.getByRole('main');

  test('the add form shows progress while the server inspects a long file', async () => {
    mockUploads();
    mockEndpoint(api.melodies.add, ({ body }) => {
      const melody = buildCompleteMelody(body['title'] as string);
      mockLibrary([melody]);
      return melody;
    });
    await renderPage('/admin/add-melody', { user });
    await added.fill('An hour');
    await page.getByLabelText('Transmission level').selectOptions('Open to All');
    const hour = new File(['ID3', new Uint8Array(8 * 1024 * 1024)], 'hour.mp3', { type: 'audio/mpeg' });
    chooseFile(page.getByLabelText('Audio file'), hour);
    const release = holdResponses(api.melodies.add);
    const server = fakeInspectionProgress();
    await submit.click();
    const bar = (name: string) => page.getByRole('progressbar', { name });
    await expectText(main, 'Sent. Checking the file…');

    await server.becomes({ step: 'waiting', fraction: 0 });
    await expectText(main, 'The audio will be checked after an earlier file');
    await expect.element(bar('Checking the audio')).not.toHaveAttribute('aria-valuenow');
    await server.becomes({ step: 'running', fraction: 0 });
    await expectText(main, 'Checking the audio: 0%');
    await server.becomes({ step: 'running', fraction: 0.4 });
    await expectText(main, 'Checking the audio: 40%');
    await expect.element(bar('Checking the audio')).toHaveAttribute('aria-valuenow', '40');
    await expectCount(bar('Upload'), 0);
    // After a restart, the server has the file but reports no progress.
    await server.becomes(null);
    await expectText(main, 'Sent. Checking the file…');
    await expect.element(bar('Upload')).toHaveAttribute('aria-valuenow', '100');
    release();
    await expectText(main, '“An hour” has been added to the library.');
    await expectCount(main.getByRole('progressbar'), 0);
  });

  test('the add form asks before discarding a file, and warns about approximate loops', async () => {
    mockUploads();
    mockEndpoint(api.melodies.add, ({ body }) => {
      const melody = buildCompleteMelody(body['title'] as string, { seeksExactly: body['title'] === 'Even' });
      mockLibrary([melody]);
      return melody;
    });
    await renderPage('/admin/add-melody', { user });
    await added.fill('Half done');
    await userEvent.upload(page.getByLabelText('Audio file'), await wav());
    await page.getByRole('link', { name: 'Melodies Library' }).first().click();
    const asking = page.getByRole('alertdialog', { name: 'Leave without adding this melody?' });
    await asking.getByRole('button', { name: 'Stay here' }).click();
    await expectCount(asking, 0);
    await expect.element(added).toHaveValue('Half done');
    await page.getByLabelText('Transmission level').selectOptions('Open to All');
    await pressKeyOn(submit, 'Enter');
    const approximate = page.getByText('will be approximate');
    await expect.element(page.getByText('“Half done” has been added to the library.')).toBeVisible();
    await expect.element(approximate).toBeVisible();

    await added.fill('Even');
    await page.getByLabelText('Transmission level').selectOptions('Open to All');
    await userEvent.upload(page.getByLabelText('Audio file'), await wav());
    await pressKeyOn(submit, 'Enter');
    await expect.element(page.getByText('“Even” has been added to the library.')).toBeVisible();
    await expect.poll(() => getCalls(api.melodies.one).length).toBeGreaterThan(1);
    await expectCount(approximate, 0);
  });
});
