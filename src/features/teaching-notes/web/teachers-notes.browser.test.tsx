import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import {
  buildFeedback,
  buildMelody,
  buildRecording,
  buildTeacher,
  mockLibrary,
  getToneFileName,
} from '#testing/browser/community.ts';
import {
  mockEndpoint,
  breakConnection,
  getCalls,
  loseNextResponse,
  rejectCalls,
  RejectedCallError,
} from '#testing/browser/fake-api.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import {
  openPlayerByUrl,
  playerDialog,
  pressPlayerButton,
  getPlayingElements,
} from '#testing/browser/player.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, expectTexts, page, pressKeyOn } from '#testing/browser/screen.ts';
import type { Mark } from '#features/feedback/contract.ts';
import type { TeachingNote } from '../contract.ts';
import { EMPTY_TEACHING_NOTE_MESSAGE, MAX_TEACHING_NOTE_LENGTH } from '../limits.ts';

const user = buildTeacher();
const dialog = page.getByRole('dialog');
const line = dialog.getByLabelText('Line of the melody');
const words = dialog.getByLabelText('Note', { exact: true });
const keep = dialog.getByRole('button', { name: 'Save note' });
const preview = dialog.getByRole('region', { name: 'Preview of the note' });
const chosen = () => (line.element() as HTMLSelectElement).selectedOptions[0]?.textContent;

const aPrayer = () =>
  buildMelody('Refuge Prayer', {
    melodyText: 'Sangye chö dang\n\nབྱང་ཆུབ་བར་དུ་\nDakgi jin sok',
    timings: [0, 2, 3].map((typed, i) => ({ line: typed, start: 2 + 4 * i })),
    audioUrl: getToneFileName(20),
    duration: 20,
  });

/** Serves past feedback with these marks on a recording of the prayer. */
function serveFeedback(marks: Mark[], given: Parameters<typeof buildRecording>[1] = {}) {
  const melody = aPrayer();
  mockLibrary([melody]);
  const recording = buildRecording('Sung by Tashi', { melodyId: melody.id, duration: 20, ...given });
  const voices = marks.flatMap(({ voice }) =>
    voice ? [{ id: voice, audioUrl: getToneFileName(20), audioCopies: [], duration: 2, peaks: null }] : [],
  );
  mockEndpoint(api.feedback.given, [buildFeedback(recording, { marks, voices })]);
  return { melody, recording };
}

type SentNote = { clientId: string; line: number; text: string; voiceOf?: object };

/** Fakes the server's endpoints that serve and store notes. */
function serveNotes(begin: TeachingNote[] = []) {
  const notes = { now: begin };
  const added = new Map<string, TeachingNote | 'deleted'>();
  let ids = 100;
  mockEndpoint(api.teachingNotes.list, () => notes.now);
  mockEndpoint(api.teachingNotes.add, ({ body }) => {
    const { clientId, line: at, text, voiceOf } = body as unknown as SentNote;
    const known = added.get(clientId);
    if (known === 'deleted') throw new RejectedCallError(409, 'This note has been deleted.');
    if (known) return known;
    const voice = voiceOf
      ? { audioUrl: getToneFileName(2), audioCopies: [], duration: 2, peaks: null }
      : null;
    const note = { id: (ids += 1), line: at, text, voice };
    added.set(clientId, note);
    notes.now = [...notes.now, note];
    return note;
  });
  mockEndpoint(api.teachingNotes.change, ({ path, body }) => {
    const id = Number(path.split('/').at(-1));
    const found = notes.now.find((note) => note.id === id);
    if (!found) throw new RejectedCallError(404, 'This note no longer exists.');
    const { line: at, text, removeVoice } = body as { line: number; text: string; removeVoice?: boolean };
    const changed = { ...found, line: at, text, voice: removeVoice ? null : found.voice };
    notes.now = notes.now.map((note) => (note.id === id ? changed : note));
    return changed;
  });
  mockEndpoint(api.teachingNotes.order, ({ body }) => {
    const { ids: order } = body as { ids: number[] };
    notes.now = notes.now.toSorted((a, b) => a.line - b.line || order.indexOf(a.id) - order.indexOf(b.id));
    return { message: 'Ordered' };
  });
  mockEndpoint(api.teachingNotes.remove, ({ path }) => {
    const gone = Number(path.split('/').at(-1));
    notes.now = notes.now.filter(({ id }) => id !== gone);
    for (const [clientId, note] of added)
      if (note !== 'deleted' && note.id === gone) added.set(clientId, 'deleted');
    return { message: 'Withdrawn' };
  });
  return notes;
}

const actionsOf = (number: number) =>
  page.getByRole('button', { name: new RegExp(`^More for comment ${number},`) });

async function makeNote(number: number) {
  await actionsOf(number).click();
  await page.getByRole('menuitem', { name: 'Make a note' }).click();
}

const VOICE = 'b34b1e0c-1f2b-4a57-8b94-0f3f9a1c2d11';

test('a note made from a mark copies line, voice and words, but not the student’s name', async () => {
  const { melody, recording } = serveFeedback([
    { start: 3, end: null, text: 'Tashi, rise on sönam', melodyAt: 6, voice: VOICE },
    { start: 8, end: null, text: 'Softer', melodyAt: null },
  ]);
  const notes = serveNotes();
  await renderPage('/past-feedback', { user });
  await makeNote(1);
  await expect.element(words).toHaveValue('Rise on sönam');
  expect(chosen()).toMatch(/^2\. བྱང་ཆུབ/);
  await expect.element(line).toHaveAttribute('lang', 'bo');
  await expect.element(dialog.getByLabelText('Include the voice comment, 0:02')).toBeChecked();
  await expectText(preview, 'Rise on sönam');
  await preview.getByRole('button', { name: 'Play the voice note, 2 seconds' }).click();
  await expectCount(preview.getByRole('button', { name: 'Stop the voice note' }), 1);
  await expectAccessibleWithoutOverflow('making a note');
  // The form warns when the name is typed again.
  await words.fill('Rise on sönam, as Dolma does');
  await expect.element(dialog.getByText('Contains the student’s name: Dolma')).toBeVisible();
  await words.fill('Rise on sönam, long');
  await expectCount(dialog.getByText(/Contains the student’s name/), 0);
  await keep.click();
  await expectCount(dialog, 0);
  await expect.poll(() => getPlayingElements()).toEqual([]);
  await expect.element(actionsOf(1)).toHaveFocus();
  await expect.element(page.getByText('Note added to “བྱང་ཆུབ་བར་དུ་”.')).toBeVisible();
  expect(getCalls(api.teachingNotes.add)).toMatchObject([
    {
      path: `/api/melodies/${melody.id}/teaching-notes`,
      body: {
        line: 2,
        lineWords: 'བྱང་ཆུབ་བར་དུ་',
        text: 'Rise on sönam, long',
        voiceOf: { recordingId: recording.id, voice: VOICE },
      },
    },
  ]);
  expect(notes.now).toHaveLength(1);

  // The second mark matches no line and has no voice comment.
  await makeNote(2);
  await expect.element(words).toHaveValue('Softer');
  expect(chosen()).toBe('Choose a line');
  await expectCount(dialog.getByRole('checkbox'), 0);
  await keep.click();
  await expect.element(dialog.getByText('Please choose a line.')).toBeVisible();
  await expect.element(line).toHaveFocus();
  await line.selectOptions('3. Dakgi jin sok');
  await words.fill(' ');
  await keep.click();
  await expect.element(dialog.getByText(EMPTY_TEACHING_NOTE_MESSAGE)).toBeVisible();
  await words.fill('a'.repeat(MAX_TEACHING_NOTE_LENGTH + 1));
  await keep.click();
  await expect.element(words).toHaveFocus();
  expect(getCalls(api.teachingNotes.add)).toHaveLength(1);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expectCount(dialog, 0);
});

test('retrying after a lost response saves a single note with the latest text', async () => {
  serveFeedback([{ start: 3, end: null, text: 'Rise', melodyAt: 2, voice: VOICE }]);
  const notes = serveNotes();
  await renderPage('/past-feedback', { user });
  await makeNote(1);
  loseNextResponse(api.teachingNotes.add);
  await keep.click();
  await expect.element(dialog.getByText('The note wasn’t saved.')).toBeVisible();
  await expect.element(dialog.getByText(/What you wrote is still here\./)).toBeVisible();
  await words.fill('Rise slowly');
  // The text survives a reload.
  await reloadPage();
  await makeNote(1);
  await expect.element(dialog.getByText('Your unsaved note is back')).toBeVisible();
  await expect.element(words).toHaveValue('Rise slowly');
  await dialog.getByLabelText(/^Include the voice comment/).click();
  await keep.click();
  await expectCount(dialog, 0);
  expect(notes.now).toMatchObject([{ line: 0, text: 'Rise slowly', voice: null }]);
  // After the note has been saved, the same mark can be made into a second note.
  await makeNote(1);
  await expect.element(words).toHaveValue('Rise');
  await dialog.getByLabelText(/^Include the voice comment/).click();
  loseNextResponse(api.teachingNotes.add);
  await keep.click();
  await expect.element(dialog.getByText('The note wasn’t saved.')).toBeVisible();
  expect(notes.now).toMatchObject([{}, { voice: null }]);
  await dialog.getByLabelText(/^Include the voice comment/).click();
  await keep.click();
  await expectCount(dialog, 0);
  expect(notes.now).toMatchObject([
    { text: 'Rise slowly', voice: null },
    { text: 'Rise', voice: { duration: 2 } },
  ]);
});

test('the note form shows a field’s error at the field, and other errors in an alert', async () => {
  const { melody } = serveFeedback([{ start: 3, end: null, text: 'Rise', melodyAt: 2 }]);
  await renderPage('/past-feedback', { user });
  await makeNote(1);
  rejectCalls(api.teachingNotes.add, 400, {
    message: 'This line is no longer in the words. Please choose another.',
    issues: [{ path: 'line', message: 'This line is no longer in the words. Please choose another.' }],
  });
  await keep.click();
  await expect
    .element(line)
    .toHaveAccessibleDescription('This line is no longer in the words. Please choose another.');
  rejectCalls(api.teachingNotes.add, 409, {
    message: 'This melody has 100 notes already. Please delete one first.',
  });
  await keep.click();
  await expectText(dialog.getByRole('alert'), 'This melody has 100 notes already. Please delete one first.');
  mockLibrary([{ ...melody, melodyText: null, timings: null }]);
  await reloadPage();
  await makeNote(1);
  await expect.element(dialog.getByText(/has no words yet/)).toBeVisible();
  await pressPlayerButton('Close');
  // A recording without a melody has no lines.
  serveFeedback([{ start: 3, end: null, text: 'Rise' }], { melodyId: null });
  await reloadPage();
  await expect.element(page.getByRole('button', { name: /^Play 0:03/ })).toBeVisible();
  await expectCount(page.getByRole('button', { name: /^More for comment/ }), 0);
});

test('the teacher adds, edits, reorders and deletes the notes of a melody', async () => {
  const melody = aPrayer();
  const spoken = { audioUrl: getToneFileName(2), audioCopies: [], duration: 2, peaks: null };
  const notes = serveNotes([
    { id: 1, line: 0, text: 'One', voice: spoken },
    { id: 2, line: 0, text: 'Two', voice: null },
    { id: 3, line: 2, text: 'བྱང་ཆུབ་', voice: null },
  ]);
  const open = async () => {
    await openPlayerByUrl(melody, '', { user });
    await playerDialog.getByRole('button', { name: 'Teaching notes' }).click();
  };
  await open();
  const list = page.getByRole('dialog', { name: 'Teaching notes' });
  const atLine = (n: number) => list.getByRole('region', { name: `Line ${n}` });
  const row = (text: string) => list.getByRole('listitem').filter({ hasText: text });
  const inRow = (text: string, name: string) => row(text).getByRole('button', { name, exact: true });
  await expectTexts(atLine(1).getByRole('listitem'), [/^One/, 'Two']);
  await expectAccessibleWithoutOverflow('the notes of a melody');

  // Reorders the notes by keyboard. Focus stays on the button.
  await pressKeyOn(inRow('One', 'Move the note down'), 'Enter');
  await expectTexts(atLine(1).getByRole('listitem'), ['Two', /^One/]);
  await expect.element(inRow('One', 'Move the note down')).toHaveFocus();
  await expectText(list.getByRole('status').first(), 'Moved: now 2 of 2.');
  breakConnection(api.teachingNotes.order, { times: 1 });
  await inRow('One', 'Move the note up').click();
  await expectText(row('One').getByRole('alert'), 'Not moved.');
  await inRow('One', 'Move the note up').click();
  await expectTexts(atLine(1).getByRole('listitem'), [/^One/, 'Two']);

  // Edits a note. Typed text survives a network error and a closed page.
  await inRow('One', 'Edit the note').click();
  await words.fill('One, at another line');
  await line.selectOptions('3. Dakgi jin sok');
  await list.getByLabelText(/^Include the voice note/).click();
  breakConnection(api.teachingNotes.change, { times: 1 });
  await list.getByRole('button', { name: 'Save note' }).click();
  await expectText(list.getByRole('alert'), 'The note wasn’t saved.');
  await open();
  await expect.element(words).toHaveValue('One, at another line');
  await list.getByRole('button', { name: 'Save note' }).click();
  await expectTexts(atLine(3).getByRole('listitem'), ['One, at another line']);
  await expect.element(inRow('One, at', 'Edit the note')).toHaveFocus();
  expect(notes.now.find(({ id }) => id === 1)).toMatchObject({ line: 3, voice: null });
  // Simulates a row that moves after it has received focus.
  for (const at of [0, 3]) {
    notes.now = notes.now.map((note) => (note.id === 1 ? { ...note, line: at } : note));
    refreshQueries([`/api/melodies/${melody.id}/teaching-notes`]);
    await expectText(atLine(at === 0 ? 1 : 3), 'One, at another line');
    await expect.element(inRow('One, at', 'Edit the note')).toHaveFocus();
  }

  await list.getByRole('button', { name: 'Add a note' }).click();
  await line.selectOptions('1. Sangye chö dang');
  await words.fill('By hand');
  breakConnection(api.teachingNotes.add, { times: 1 });
  await keep.click();
  await expectText(list.getByRole('alert'), 'What you wrote is still here.');
  await keep.click();
  await expectTexts(atLine(1).getByRole('listitem'), ['Two', 'By hand']);
  await expect.element(row('By hand')).toHaveFocus();

  // Deletes a note after a confirmation.
  await inRow('Two', 'Delete the note').click();
  const asked = page.getByRole('alertdialog', { name: 'Delete this note?' });
  rejectCalls(api.teachingNotes.remove, 500, { times: 1 });
  await asked.getByRole('button', { name: 'Delete' }).click();
  await expect.element(asked.getByText('The note wasn’t deleted. Please try again.')).toBeVisible();
  await asked.getByRole('button', { name: 'Delete' }).click();
  await expectCount(asked, 0);
  await expectTexts(atLine(1).getByRole('listitem'), ['By hand']);
  await expect.element(list.getByRole('button', { name: 'Add a note' })).toHaveFocus();
  expect(notes.now.map(({ id }) => id)).not.toContain(2);

  const recovers = rejectCalls(api.teachingNotes.list, 500);
  await open();
  await expect.element(list.getByText('The notes could not be loaded.')).toBeVisible();
  recovers();
  await list.getByRole('button', { name: 'Try again' }).click();
  await expectTexts(atLine(1).getByRole('listitem'), ['By hand']);
});

test('students do not see the button for the list of teaching notes', async () => {
  serveNotes([{ id: 1, line: 0, text: 'One', voice: null }]);
  await openPlayerByUrl(aPrayer());
  await expect.element(playerDialog.getByRole('button', { name: /^Khandro-la’s note/ })).toBeVisible();
  await expectCount(playerDialog.getByRole('button', { name: 'Teaching notes' }), 0);
});
