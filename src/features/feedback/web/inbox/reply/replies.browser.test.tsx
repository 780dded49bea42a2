import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import { WRONG_USER_ON_WRITE_MESSAGE } from '#shared/expected-user.ts';
import { buildRecording, buildTeacher, type MeFixture } from '#testing/browser/community.ts';
import {
  breakConnection,
  getCalls,
  holdResponses,
  loseNextResponse,
  rejectCalls,
} from '#testing/browser/fake-api.ts';
import { fakeMicrophone } from '#testing/browser/fake-microphone.ts';
import { openPageWithStream, sendChanges } from '#testing/browser/fake-event-stream.ts';
import {
  sendFeedbackElsewhere,
  findInboxCard,
  getDraftText,
  mockInbox,
  getSentFeedback,
  withdrawRecording,
} from '#testing/browser/inbox.ts';
import { expectAccessible } from '#testing/browser/expect-accessible.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, pressKeyOn, userEvent } from '#testing/browser/screen.ts';
import {
  startRecordingSpokenPart,
  countBytesSent,
  chooseSpokenPart,
  delayDeviceStorage,
  listStoredTakeNames,
  stopPausedUpload,
} from '#testing/browser/spoken-part.ts';
import { mockUploads } from '#testing/browser/uploads.ts';

/** A new user for each test, because the device stores data per user. */
let user: MeFixture;
beforeEach(() => {
  user = buildTeacher();
  mockUploads();
});

const openInbox = () => renderPage('/admin', { user });
const card = findInboxCard('Sung today');
const text = card.getByLabelText('Written feedback');
const send = card.getByRole('button', { name: 'Send Feedback' });
const sound = (name: string) => card.getByRole('group', { name, exact: true });
const putAway = card.getByRole('button', { name: 'Discard' });
const answered = card.getByRole('region', { name: 'Feedback that was sent' });
const unsent = card.getByRole('region', { name: 'Your unsent feedback' });
const allCaughtUp = page.getByText('All Caught Up');
const onDevice = () => listStoredTakeNames(user);

test('a chosen file survives a reload and is sent', async () => {
  mockInbox(buildRecording('Sung today'));
  await openInbox();
  await chooseSpokenPart(card, 'first.wav', 2);
  await expect.poll(onDevice).toEqual(['first.wav']);
  // A new choice also replaces the file on the device.
  const { size } = await chooseSpokenPart(card, 'second.wav', 4);
  await expectText(sound('second.wav'), '/ 0:04');
  await expect.poll(onDevice).toEqual(['second.wav']);
  await reloadPage();
  await expect.element(card.getByText('You chose this file earlier and haven’t sent it.')).toBeVisible();
  await expectText(sound('second.wav'), '/ 0:04');
  await expect.element(card.css('input[type=file]')).not.toHaveFocus();
  await send.click();
  await expect.element(allCaughtUp).toBeVisible();
  expect(getSentFeedback()).toMatchObject([{ audioFeedbackUrl: expect.any(String) as string }]);
  expect(countBytesSent()).toBe(size);
  await expect.poll(onDevice).toEqual([]);
});

test('after a reload, the card reserves space while the stored recording loads', async () => {
  fakeMicrophone();
  mockInbox(buildRecording('Sung today'));
  await openInbox();
  await startRecordingSpokenPart(card);
  await card.getByRole('button', { name: 'Stop recording' }).click();
  await expect.poll(onDevice).toHaveLength(1);
  await expect.element(card.getByRole('button', { name: 'Record again' })).toBeVisible();
  const release = Promise.withResolvers<void>();
  const { listOf } = getTakeStore();
  const listing = vi
    .spyOn(getTakeStore(), 'listOf')
    .mockImplementation((id) => release.promise.then(() => listOf(id)));
  onTestFinished(() => listing.mockRestore());
  await reloadPage();
  await expect.element(card.getByText('Loading your recording…')).toBeVisible();
  const height = () => card.element().getBoundingClientRect().height;
  const before = height();
  release.resolve();
  await expect.element(card.getByText(/^You recorded this earlier/)).toBeVisible();
  expect(Math.abs(height() - before)).toBeLessThan(16);
  // After the recording is removed and the page reloaded, no space is reserved for it.
  await card.getByRole('button', { name: 'Remove the audio' }).click();
  await expect.poll(onDevice).toEqual([]);
  await reloadPage();
  await expect.element(card.getByRole('button', { name: 'Upload' })).toBeVisible();
  await expectCount(card.getByText(/Loading your recording…|You recorded this earlier/), 0);
});

test('a reply changed after a lost response replaces the version that had arrived', async () => {
  mockInbox(buildRecording('Sung today'));
  await openInbox();
  await text.fill('The first words');
  loseNextResponse(api.feedback.send);
  await send.click();
  await expect.element(card.getByText('Your feedback is still here.')).toBeVisible();
  await text.fill('Other words');
  await send.click();
  await expect.element(page.getByText('It has been replaced with this one.').first()).toBeVisible();
  await expectCount(card, 0);
  expect(getSentFeedback()).toMatchObject([{ writtenFeedback: 'Other words' }]);
  expect(getCalls(api.feedback.send)).toHaveLength(2);
});

test('sending before the device has stored the whole recording still sends all of it', async () => {
  mockInbox(buildRecording('Sung today'));
  await openInbox();
  await text.fill('With a voice');
  await startRecordingSpokenPart(card);
  const release = delayDeviceStorage();
  await pressKeyOn(card.getByRole('button', { name: 'Stop recording' }), 'Enter');
  const mend = breakConnection(api.uploads.begin);
  await pressKeyOn(send, 'Enter');
  await expectCount(card.getByText('Stop the recording first, then send your feedback.'), 0);
  release();
  await stopPausedUpload(card);
  expect(getSentFeedback()).toEqual([]);
  mend();
  await send.click();
  await expect.element(allCaughtUp).toBeVisible();
  expect(getSentFeedback()).toMatchObject([
    { writtenFeedback: 'With a voice', audioFeedbackUrl: expect.any(String) as string },
  ]);
  // More than one second of audio: 16-bit samples at 32 kHz are 64,000 bytes per second.
  expect(countBytesSent()).toBeGreaterThan(64_000);
});

test('does not send a reply if another user has signed in in another tab', async () => {
  mockInbox(buildRecording('Sung today'));
  await openInbox();
  const refusals = [api.feedback.keepDraft, api.feedback.send].map((call) =>
    rejectCalls(call, 412, { message: WRONG_USER_ON_WRITE_MESSAGE }),
  );
  await text.fill('Private words');
  await expect.element(card.getByText('Someone else has signed in on this browser.')).toBeVisible();
  await send.click();
  await expectText(card.getByRole('alert'), 'Sign in again to send it.');
  await expect.element(text).toHaveValue('Private words');
  for (const end of refusals) end();
  await send.click();
  await expectCount(card, 0);
  expect(getSentFeedback()).toMatchObject([{ writtenFeedback: 'Private words' }]);
});

test('double-clicking Send waits for the draft save and sends the latest text once', async () => {
  const recording = buildRecording('Sung today');
  mockInbox(recording);
  await openInbox();
  const release = holdResponses(api.feedback.keepDraft);
  await text.fill('Well');
  await userEvent.dblClick(send);
  await expect.poll(() => getCalls(api.feedback.keepDraft)).toHaveLength(1);
  expect(getCalls(api.feedback.send)).toEqual([]);
  await text.fill('Well sung.');
  release();
  await expect.element(allCaughtUp).toBeVisible();
  await expect.poll(() => getCalls(api.feedback.keepDraft).at(-1)?.body['text']).toBe('');
  expect(getCalls(api.feedback.send).map(({ body }) => body['writtenFeedback'])).toEqual(['Well sung.']);
  expect(getDraftText(recording)).toBeUndefined();
});

test('after a lost response, a reload deletes the sent audio from the device', async () => {
  mockInbox(buildRecording('Sung today'));
  await openInbox();
  await chooseSpokenPart(card, 'reply.wav', 1);
  loseNextResponse(api.feedback.send);
  await send.click();
  await expect.element(card.getByText('Your feedback is still here.')).toBeVisible();
  await expect.poll(onDevice).toHaveLength(1);
  await reloadPage();
  await expect.element(allCaughtUp).toBeVisible();
  await expect.poll(onDevice).toEqual([]);
  await expectCount(card, 0);
  expect(getSentFeedback()).toHaveLength(1);
});

test('unsent audio stays on the card after another teacher has answered', async () => {
  const recording = buildRecording('Sung today');
  mockInbox(recording);
  await openInbox();
  await chooseSpokenPart(card, 'reply.wav', 1);
  await expect.poll(onDevice).toHaveLength(1);
  sendFeedbackElsewhere(recording, 'The other’s words');
  await reloadPage();
  await expectText(answered, 'The other’s words');
  await expectText(unsent, 'Your audio response is below');
  expect(await onDevice()).toHaveLength(1);
  await putAway.click();
  await expect.element(allCaughtUp).toBeVisible();
  await expect.poll(onDevice).toEqual([]);
});

test('a card shows another teacher’s feedback beside the unsent reply', async () => {
  const recording = buildRecording('Sung today');
  mockInbox(recording, buildRecording('The next one'));
  await openInbox();
  await text.fill('My own words');
  sendFeedbackElsewhere(recording, 'The other’s words');
  await send.click();
  await expect.element(card.getByText('This recording already has feedback.').first()).toBeVisible();
  await expectText(answered, 'The other’s words');
  await expectText(unsent, 'My own words');
  await expectCount(send, 0);
  await expectAccessible('a card that was answered elsewhere');
  await expect.poll(() => getDraftText(recording)).toBe('My own words');

  await reloadPage();
  await expectText(answered, 'The other’s words');
  await card.getByRole('button', { name: 'Copy my text' }).click();
  await expect.element(card.getByText('Copied')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe('My own words');
  await putAway.click();
  await expectCount(card, 0);
  await expect.element(page.getByRole('heading', { name: 'The next one' })).toHaveFocus();
  await expect.poll(() => getDraftText(recording)).toBeUndefined();
  await reloadPage();
  await expectCount(page.getByRole('article'), 1);
});

test('a card and its text stay if the recording is withdrawn while the teacher writes', async () => {
  const [recording, untouched] = [buildRecording('Sung today'), buildRecording('Untouched')];
  mockInbox(recording, untouched);
  await openPageWithStream('/admin', { user });
  await text.fill('Words of mine');
  await expect.element(card.getByText('Draft saved')).toBeVisible();
  const gone = card.getByText('This recording is no longer here.');
  withdrawRecording(untouched);
  sendChanges('/api/recordings');
  await expectCount(findInboxCard('Untouched'), 0);
  withdrawRecording(recording);
  sendChanges('/api/recordings');
  await expect.element(gone).toBeVisible();
  await expectText(unsent, 'Words of mine');
  // The teacher keeps typing after the text field has disappeared. These keys must not run commands.
  await expect.poll(() => document.activeElement?.closest('article')).not.toBeNull();
  await userEvent.keyboard('?j');
  await expectCount(page.getByRole('dialog'), 0);

  // The card is shown again on a later visit, but not to other users of this device.
  await renderPage('/admin', { user: buildTeacher() });
  await expect.element(allCaughtUp).toBeVisible();
  await openInbox();
  await expect.element(gone).toBeVisible();
  await expectText(unsent, 'Words of mine');
  await putAway.click();
  await expect.element(allCaughtUp).toBeVisible();
  expect(JSON.stringify(localStorage)).not.toContain('Words of mine');
});
