import { expect, test } from 'vitest';
import type { z } from 'zod';
import { api } from '#app/api.ts';
import { mockEndpoint, breakConnection, getCalls, rejectCalls } from '#testing/browser/fake-api.ts';
import {
  buildFeedback,
  buildMelody,
  buildRecording,
  buildTeacher,
  buildCompleteMelody,
  mockLibrary,
} from '#testing/browser/community.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectUrl, expectCount, expectTexts, page, pressKeyOn } from '#testing/browser/screen.ts';
import type { markedFeedback } from '../contract.ts';

const user = buildTeacher();
const [sung, unsung] = [buildCompleteMelody('Refuge', { melodyText: 'one\ntwo' }), buildMelody('Mani')];
const dialog = page.getByRole('dialog', { name: 'Common difficulties' });
const lines = dialog.getByRole('button', { name: /^Line / });
const opener = page.getByRole('button', { name: '3 recordings of Refuge: common difficulties' });

const TIBETAN = 'སངས་རྒྱས་ཆོས་དང་ཚོགས་ཀྱི་མཆོག་རྣམས་ལ།';
const marked = {
  lines: [
    { number: 1, words: 'Sangye chö dang tsok kyi chok nam la', marks: 1, students: 1 },
    { number: 3, words: TIBETAN, marks: 9, students: 6 },
  ],
  elsewhere: 2,
};

async function openTable() {
  mockLibrary([sung, unsung]);
  mockEndpoint(api.melodies.use, [
    { id: sung.id, isTimed: true, recordingCount: 3 },
    { id: unsung.id, isTimed: false, recordingCount: 0 },
  ]);
  await renderPage('/melodies?view=table', { user });
}

const anAnswer = (
  recordingId: number,
  firstName: string,
  marks: z.input<typeof markedFeedback>['marks'],
): z.input<typeof markedFeedback> => ({
  ...{ id: recordingId, recordingId, title: 'Refuge', createdAt: new Date() },
  student: { firstName, lastName: 'Lhamo', username: 'lhamo' },
  marks,
});

test('by keyboard, a teacher can open a line with marks and then the marked feedback', async () => {
  const recording = buildRecording('Refuge', { melodyId: sung.id });
  const feedback = buildFeedback(recording, { writtenFeedback: 'Softer at the third line.' });
  mockEndpoint(api.marksByLine.ofMelody, marked);
  mockEndpoint(api.marksByLine.answers, [
    anAnswer(recording.id, 'Pema', [{ start: 42, end: 50, text: 'Softer here.', isSpoken: false }]),
    anAnswer(recording.id + 1, 'Sonam', [
      { start: 3, end: null, text: '', isSpoken: true },
      { start: 9, end: null, text: TIBETAN, isSpoken: false },
    ]),
  ]);
  mockEndpoint(api.feedback.ofRecording, feedback);
  mockEndpoint(api.feedback.given, [feedback]);
  await openTable();
  await expectCount(page.getByRole('button', { name: /of Mani: common difficulties/ }), 0);
  await pressKeyOn(opener, 'Enter');
  await expectTexts(lines, [
    'Line 11 comment · 1 studentSangye chö dang tsok kyi chok nam la',
    `Line 39 comments · 6 students${TIBETAN}`,
  ]);
  await expect.element(dialog.getByText('2 more comments aren’t tied to a line.')).toBeVisible();
  expect(getCalls(api.marksByLine.answers)).toEqual([]);
  await pressKeyOn(lines.nth(1), 'Enter');
  await expectTexts(dialog.getByRole('link'), [
    /^Pema Lhamosent .*0:42–0:50Softer here\.$/,
    /^Sonam Lhamo.*0:03voice comment0:09སངས/,
  ]);
  expect(getCalls(api.marksByLine.answers)[0]!.query).toEqual({ line: '3' });
  await expectAccessibleWithoutOverflow('a line is open');
  await pressKeyOn(dialog.getByRole('link').first(), 'Enter');
  await expectUrl(new RegExp(`^/past-feedback\\?recording=${recording.id}$`));
  await expect.element(page.getByText('Softer at the third line.')).toBeVisible();
  await page.getByRole('link', { name: 'Show all' }).click();
  await expectUrl(/^\/past-feedback$/);
  await expectCount(page.getByRole('article'), 1);
});

test('shows a message if a melody has no marks or no timed lines, or if loading fails', async () => {
  mockEndpoint(api.marksByLine.ofMelody, { lines: [], elsewhere: 0 });
  await openTable();
  await opener.click();
  await expect.element(dialog.getByText(/^No comments on recordings of this melody/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
  mockEndpoint(api.marksByLine.ofMelody, { lines: [], elsewhere: 1 });
  await opener.click();
  await expect.element(dialog.getByText(/^These comments aren’t tied to lines/)).toBeVisible();
  await expect.element(dialog.getByText('1 comment isn’t tied to a line.')).toBeVisible();

  const mend = breakConnection(api.marksByLine.ofMelody);
  await openTable();
  await opener.click();
  await expect.element(dialog.getByText('The comments could not be loaded.')).toBeVisible();
  mend();
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect.element(dialog.getByText('1 comment isn’t tied to a line.')).toBeVisible();
});

test('opening deleted feedback shows a message with a link to all past feedback', async () => {
  rejectCalls(api.feedback.ofRecording, 404, { message: 'This feedback no longer exists' });
  await renderPage('/past-feedback?recording=7', { user });
  await expect.element(page.getByText(/^This feedback no longer exists/)).toBeVisible();
  await page.getByRole('link', { name: 'Show all' }).click();
  await expect.element(page.getByText('No Feedback Yet')).toBeVisible();
});
