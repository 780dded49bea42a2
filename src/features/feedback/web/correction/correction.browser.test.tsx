import { beforeEach, expect, test } from 'vitest';
import { api } from '#app/api.ts';
import {
  buildFeedback,
  buildMelody,
  buildRecording,
  buildTeacher,
  type FeedbackFixture,
  mockLibrary,
  type MeFixture,
  getToneFileName,
} from '#testing/browser/community.ts';
import { mockEndpoint, breakConnection, getCalls, RejectedCallError } from '#testing/browser/fake-api.ts';
import { expectAccessible, expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, pressKeyOn, userEvent } from '#testing/browser/screen.ts';
import {
  startRecordingSpokenPart,
  countBytesSent,
  delayDeviceStorage,
  listStoredTakeNames,
  stopPausedUpload,
} from '#testing/browser/spoken-part.ts';
import { mockUploads } from '#testing/browser/uploads.ts';

/** A new user for each test, because the device stores data per user. */
let user: MeFixture;
/** The feedback on the fake server. */
let given: FeedbackFixture;

const card = page.getByRole('article', { name: 'Sung today' });
const correct = card.getByRole('button', { name: /^Edit feedback/ });
const form = page.getByRole('form', { name: 'Edit feedback on Sung today' });
const text = form.getByLabelText('Written feedback');
const save = form.getByRole('button', { name: 'Save correction' });
const cancel = form.getByRole('button', { name: 'Cancel' });
const stop = form.getByRole('button', { name: 'Stop recording' });
const open = () => renderPage('/past-feedback', { user });

/** Corrects the feedback on the fake server. Throws if it has been corrected since `basedOn`. */
function put({ writtenFeedback, basedOn, uploadId }: Record<string, string>) {
  if (basedOn !== (given.correctedAt?.toISOString() ?? ''))
    throw new RejectedCallError(409, 'Someone else corrected this feedback while you were writing.');
  given = {
    ...given,
    writtenFeedback: writtenFeedback ?? null,
    ...(uploadId && { audioFeedbackUrl: getToneFileName(3), audioFeedbackDuration: 3 }),
    correctedAt: new Date(),
  };
  return given;
}
const calls = () => getCalls(api.feedback.correct).map(({ body }) => body);

beforeEach(() => {
  user = buildTeacher();
  given = buildFeedback(buildRecording('Sung today', { status: 'reviewed' }), {
    writtenFeedback: 'As it was',
  });
  mockEndpoint(api.feedback.given, () => [given]);
  mockEndpoint(api.feedback.correct, ({ body }) => put(body as Record<string, string>));
  mockUploads();
});

test('saves only a changed, finished correction, and asks before discarding it', async () => {
  await open();
  await correct.click();
  await save.click();
  await expect
    .element(form.getByRole('status').filter({ hasText: 'You haven’t changed anything yet' }))
    .toBeVisible();
  await text.fill('As it was, and more');
  await expectCount(form.getByText('You haven’t changed anything yet'), 0);
  await text.fill('As it was');
  await cancel.click();
  await expectCount(form, 0);

  await correct.click();
  await text.fill('Changed');
  await startRecordingSpokenPart(form);
  for (const button of [save, cancel]) {
    await button.click();
    await expect.element(form.getByText('Stop the recording first')).toBeVisible();
  }
  await stop.click();
  await expectCount(form.getByText('Stop the recording first'), 0);
  await expect.poll(() => listStoredTakeNames(user)).toHaveLength(1);

  const asking = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  await cancel.click();
  await expectText(asking, 'the new audio is deleted');
  await userEvent.keyboard('{Escape}');
  await expect.element(cancel).toHaveFocus();
  await expect.element(text).toHaveValue('Changed');
  await cancel.click();
  await asking.getByRole('button', { name: 'Discard' }).click();
  await expectText(card, 'As it was');
  await expect.element(card.getByRole('heading', { name: 'Sung today' })).toHaveFocus();
  await expect.poll(() => listStoredTakeNames(user)).toEqual([]);
  await reloadPage();
  await expect.element(correct).toBeVisible();
  expect(calls()).toEqual([]);
});

test('saving does not overwrite a newer correction until the teacher chooses a version', async () => {
  await open();
  await correct.click();
  await text.fill('As it was, with a comma');
  put({ writtenFeedback: 'New words from elsewhere', basedOn: '' });
  await save.click();
  const newer = form.getByRole('region', { name: 'Newer version' });
  await expectText(newer, 'New words from elsewhere');
  await expect.element(text).toHaveValue('As it was, with a comma');
  await expectAccessible('a correction that was overtaken');

  // The choice between the two versions remains after a reload, and nothing is sent before the teacher chooses.
  await reloadPage();
  await expectText(newer, 'New words from elsewhere');
  await save.click();
  await expect.element(form.getByText('First choose one of the two versions above')).toBeVisible();
  expect(calls()).toMatchObject([{ basedOn: '' }]);
  await newer.getByRole('button', { name: 'Use my version' }).click();
  await expectCount(newer, 0);
  await save.click();
  await expectCount(form, 0);
  expect(given.writtenFeedback).toBe('As it was, with a comma');
});

test('in the correction form, a new mark gets the line that is sung at its time', async () => {
  const melody = buildMelody('Refuge', {
    melodyText: 'Sangye chö dang tsok\nDakgi jin sok',
    timings: [1, 5].map((start, line) => ({ line, start })),
    audioUrl: getToneFileName(19),
    duration: 19,
  });
  mockLibrary([melody]);
  const sung = { audioUrl: getToneFileName(20), duration: 20, melodyId: melody.id, attempt: 1 };
  given = buildFeedback(buildRecording('Sung today', { status: 'reviewed', ...sung }), {
    writtenFeedback: 'Good',
  });
  // The second line was sung first, so an estimate from the tempo would be wrong.
  mockEndpoint(api.recordingLines.ofRecording, {
    state: 'ready',
    lines: [
      { line: 1, start: 2, end: 8, sure: 0.9 },
      { line: 0, start: 9, end: 15, sure: 0.9 },
    ],
  });
  await open();
  await correct.click();

  const words = form.getByRole('list', { name: 'Lines as they are sung' });
  await words.getByRole('button', { name: 'Play line 2:' }).click();
  const recording = form.css('audio').element() as HTMLAudioElement;
  await expect.poll(() => recording.currentTime).toBeGreaterThan(2);
  recording.pause();
  recording.currentTime = 4;
  await form.getByRole('button', { name: 'Add comment' }).click();
  await userEvent.keyboard('Softer{Enter}');
  await expectAccessibleWithoutOverflow('a correction with the words that are sung');
  await save.click();
  await expect.poll(calls).toHaveLength(1);
  expect(JSON.parse(calls()[0]!['marks'] as string)).toMatchObject([{ start: 4, melodyAt: 5 }]);
});

test('saving before the device has stored the whole recording still sends all of it', async () => {
  await open();
  await correct.click();
  await startRecordingSpokenPart(form);
  const release = delayDeviceStorage();
  await pressKeyOn(stop, 'Enter');
  const mend = breakConnection(api.uploads.begin);
  await pressKeyOn(save, 'Enter');
  await expectCount(form.getByText('Stop the recording first'), 0);
  release();
  await stopPausedUpload(form);
  expect(calls()).toEqual([]);
  mend();
  await save.click();
  await expectText(card, /Corrected just now/);
  await expect.element(card.getByRole('heading', { name: 'Audio feedback' })).toBeVisible();
  // More than one second of audio: 16-bit samples at 32 kHz are 64,000 bytes per second.
  expect(countBytesSent()).toBeGreaterThan(64_000);
});
