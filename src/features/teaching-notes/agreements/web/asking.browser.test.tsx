import { expect, test } from 'vitest';
import type { z } from 'zod';
import { api } from '#app/api.ts';
import {
  buildFeedback,
  buildMelody,
  buildRecording,
  buildTeacher,
  mockLibrary,
  getToneFileName,
} from '#testing/browser/community.ts';
import { mockEndpoint, getCalls, loseNextResponse, RejectedCallError } from '#testing/browser/fake-api.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, page, pressKeyOn } from '#testing/browser/screen.ts';
import type { TeachingNote } from '#features/teaching-notes/contract.ts';
import type { requestedAgreement } from '../contract.ts';
import './ask-agreement-form.tsx';

type Asked = z.input<typeof requestedAgreement>;

const user = buildTeacher();
const dialog = page.getByRole('dialog', { name: 'Ask to share this passage' });
const actions = page.getByRole('button', { name: 'More for comment 1, 0:02–0:03' });
const opener = page.getByRole('menuitem', { name: 'Ask to share' });
const note = (id: number, line: number, text: string): TeachingNote => ({ id, line, text, voice: null });

/** Serves past feedback with a mark on the second line, and stores questions. */
function serveFeedbackWithMark(notes: TeachingNote[]) {
  const melody = buildMelody('Refuge', {
    melodyText: 'Sangye chö dang\nབྱང་ཆུབ་བར་དུ་',
    timings: [
      { line: 0, start: 0 },
      { line: 1, start: 2 },
    ],
    audioUrl: getToneFileName(20),
    duration: 20,
  });
  mockLibrary([melody]);
  const recording = buildRecording('Sung by Tashi', { melodyId: melody.id });
  const marks = [{ start: 2, end: 3, text: 'Beautiful.', melodyAt: 2 }];
  mockEndpoint(api.feedback.given, [buildFeedback(recording, { marks })]);
  mockEndpoint(api.teachingNotes.list, notes);
  const kept: Asked[] = [];
  mockEndpoint(api.agreements.asked, () => kept);
  mockEndpoint(api.agreements.ask, ({ body }) => {
    const { noteId, start, end, wantsName } = body as unknown as Asked;
    if (kept.some((each) => each.noteId === noteId && each.state === 'declined'))
      throw new RejectedCallError(409, 'This student has been asked before.');
    if (kept.length > 0) return kept[0]!;
    kept.push({
      ...{ id: 5, noteId, recordingId: recording.id, start, end, wantsName, state: 'asked', name: null },
      ...{ student: recording.student, askedAt: new Date(), answeredAt: null },
    });
    return kept[0]!;
  });
  mockEndpoint(api.agreements.withdraw, () => {
    kept.length = 0;
    return { message: 'Withdrawn' };
  });
  return kept;
}

test('the teacher asks to share a passage, sees the answer and stops sharing', async () => {
  const kept = serveFeedbackWithMark([note(8, 0, 'Softer.'), note(9, 1, 'Like this.')]);
  await renderPage('/past-feedback', { user });
  await pressKeyOn(actions, 'Enter');
  await pressKeyOn(opener, 'Enter');
  const choice = dialog.getByLabelText('Share it with this note');
  // The note on the mark's line is preselected.
  await expect.element(choice).toHaveValue('9');
  await expect
    .element(dialog.getByText(/Nothing is shared until Tashi Dolma agrees in writing/))
    .toBeVisible();
  await expectAccessibleWithoutOverflow('asking');
  await pressKeyOn(dialog.getByRole('checkbox', { name: /Also ask to show their name/ }), ' ');
  loseNextResponse(api.agreements.ask);
  const ask = dialog.getByRole('button', { name: 'Ask Tashi Dolma' });
  await pressKeyOn(ask, 'Enter');
  await expect.element(dialog.getByRole('alert')).toBeVisible();
  await pressKeyOn(ask, 'Enter');
  await expect.element(dialog.getByText('Tashi Dolma has been asked.')).toBeVisible();
  const [lost, again] = getCalls(api.agreements.ask).map(({ body }) => body);
  expect(again).toEqual(lost);
  expect(again).toMatchObject({ noteId: 9, start: 2, end: 3, wantsName: true });
  const before = dialog.getByRole('region', { name: 'Already asked about this recording' });
  await expect.element(before.getByText(/Tashi Dolma hasn’t answered yet/)).toBeVisible();

  kept[0] = { ...kept[0]!, answeredAt: new Date() };
  await dialog.getByRole('button', { name: 'Close' }).click();
  await renderPage('/past-feedback', { user });
  await actions.click();
  await opener.click();
  await expect.element(before.getByText(/answer again, because the server was restored/)).toBeVisible();

  kept[0] = { ...kept[0], state: 'declined', answeredAt: new Date() };
  await dialog.getByRole('button', { name: 'Close' }).click();
  await renderPage('/past-feedback', { user });
  await actions.click();
  await opener.click();
  await expect.element(before.getByText(/Tashi Dolma said no/)).toBeVisible();
  await expectCount(before.getByRole('button'), 0);
  await dialog.getByRole('button', { name: 'Ask Tashi Dolma' }).click();
  await expect.element(dialog.getByText('This student has been asked before.')).toBeVisible();

  kept[0] = { ...kept[0], state: 'agreed', name: 'Tashi Dolma' };
  await renderPage('/past-feedback', { user });
  await actions.click();
  await opener.click();
  await expect.element(before.getByText(/Tashi Dolma agreed to share it with their name/)).toBeVisible();
  await before.getByRole('button', { name: 'Stop sharing' }).click();
  await expectCount(before, 0);
});

test('the sharing dialog explains why no note is available for the passage', async () => {
  serveFeedbackWithMark([]);
  await renderPage('/past-feedback', { user });
  await actions.click();
  await opener.click();
  await expect.element(dialog.getByText(/Make a note from this comment first/)).toBeVisible();
  const passage = { audioUrl: getToneFileName(2), audioCopies: [], duration: 2, peaks: null, name: null };
  serveFeedbackWithMark([{ ...note(8, 0, 'Softer.'), studentPassage: passage }]);
  await renderPage('/past-feedback', { user });
  await actions.click();
  await opener.click();
  await expect.element(dialog.getByText('Every note on this melody already has a passage.')).toBeVisible();
});
