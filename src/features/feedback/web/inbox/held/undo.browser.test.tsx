import { beforeEach, expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import { buildRecording, buildTeacher, type MeFixture, getToneFileName } from '#testing/browser/community.ts';
import { getCalls, holdResponses, loseNextResponse } from '#testing/browser/fake-api.ts';
import { fakeMicrophone } from '#testing/browser/fake-microphone.ts';
import {
  getDraftText,
  focusFirstCard,
  mockHeldReplies,
  mockInbox,
  findInboxRow,
  sentRepliesBar,
  undoButton,
} from '#testing/browser/inbox.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, userEvent } from '#testing/browser/screen.ts';
import { readSentBytes, chooseSpokenPart } from '#testing/browser/spoken-part.ts';
import { mockUploads } from '#testing/browser/uploads.ts';
import type { Mark } from '#features/feedback/contract.ts';

/** A new user for each test, because the device stores data per user. */
let user: MeFixture;
beforeEach(() => {
  user = buildTeacher();
  mockUploads();
  fakeMicrophone();
});

const card = page.getByRole('article', { name: 'Sung today' });
const words = card.getByLabelText('Written feedback');
const speak = card.getByRole('button', { name: /^(Hold to speak|(Speaking|Stop) \d)/ });
const hear = card.getByRole('button', { name: /^Play the voice comment at/ });
const getRecordingAudio = () => card.css('audio[src*="files"]').element() as HTMLAudioElement;
const sentBodies = () => getCalls(api.feedback.send).map(({ body }) => body);

/** Refreshes as if the server had announced a change to feedback. */
const announceChange = () => refreshQueries(['/api/admin/feedback']);

/**
 * Answers a 20-second recording with text, a voice comment at 0:10 and an audio file, and waits until the reply
 * is held.
 */
async function sendEverything() {
  const recording = buildRecording('Sung today', { audioUrl: getToneFileName(20), duration: 20 });
  mockInbox(recording, buildRecording('Another'));
  const letOut = mockHeldReplies();
  await renderPage('/admin', { user });
  await focusFirstCard('Sung today');
  getRecordingAudio().currentTime = 10;
  await userEvent.keyboard('{v>}');
  await expectText(speak, /^(Speaking|Stop) 0:(0[1-9]|[1-5]\d)/);
  await userEvent.keyboard('{/v}');
  await expect.element(hear).toBeVisible();
  await words.fill('Well sung.');
  await chooseSpokenPart(card, 'reply.wav', 1);
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect.element(sentRepliesBar).toBeVisible();
  await expectCount(card, 0);
  return { recording, letOut };
}

/**
 * Expects that the form contains everything that was sent, and that sending it again sends the same content.
 */
async function expectEverythingBack() {
  await expect.element(words).toHaveValue('Well sung.');
  await expect.element(hear).toBeEnabled();
  await expectText(hear, '0:10');
  await expectCount(card.getByRole('button', { name: /^Delete comment/ }), 1);
  await expect.element(card.getByText(/^You chose this file earlier/)).toBeVisible();
  await expectCount(card.getByText('Your unsent voice comment was restored'), 0);
  await expectCount(page.getByText(/changed in another browser/), 0);
  await expectCount(page.getByRole('alert'), 0);
  const first = sentBodies()[0]!;
  const spoken = await readSentBytes(first['uploadId'] as string);
  expect(spoken.length).toBeGreaterThan(44);
  await card.getByRole('button', { name: 'Send Feedback' }).click();
  await expect.element(sentRepliesBar).toBeVisible();
  const again = sentBodies().at(-1)!;
  expect(sentBodies().length).toBeGreaterThan(1);
  // The marks include the ids of their voice comments.
  expect([again['writtenFeedback'], again['marks']]).toEqual([first['writtenFeedback'], first['marks']]);
  const [mark] = JSON.parse(again['marks'] as string) as Mark[];
  expect((await readSentBytes(mark!.voice!)).length).toBeGreaterThan(32_000);
  expect(await readSentBytes(again['uploadId'] as string)).toEqual(spoken);
}

test('undo restores the whole reply if the held replies arrive before the draft', async () => {
  await sendEverything();
  const letDraftsGo = holdResponses(api.feedback.drafts);
  const heldBefore = getCalls(api.feedback.held).length;
  await undoButton.click();
  await expect.poll(() => getCalls(api.feedback.takeBack)).toHaveLength(1);
  announceChange();
  await expect.poll(() => getCalls(api.feedback.held).length).toBeGreaterThan(heldBefore);
  // Makes another call. By the time its response arrives, the page has received the list of held replies.
  await fetch('/api/admin/feedback/held');
  await expectCount(card, 0);
  letDraftsGo();
  await expectEverythingBack();
});

test('undo restores the whole reply if the response to undo is lost', async () => {
  await sendEverything();
  loseNextResponse(api.feedback.takeBack);
  await undoButton.click();
  await expectEverythingBack();
});

test('undo restores the whole reply if the page is reloaded before the response', async () => {
  await sendEverything();
  const letUndoGo = holdResponses(api.feedback.takeBack);
  await undoButton.click();
  await expect.poll(() => getCalls(api.feedback.takeBack)).toHaveLength(1);
  const letHeldGo = holdResponses(api.feedback.held);
  await reloadPage();
  letUndoGo();
  await expect.poll(() => getCalls(api.recordings.pendingForInbox).length).toBeGreaterThan(1);
  letHeldGo();
  await expectEverythingBack();
});

test('undo in another tab restores the whole reply in this tab', async () => {
  const { recording } = await sendEverything();
  const letDraftsGo = holdResponses(api.feedback.drafts);
  await fetch(`/api/admin/feedback/held/${recording.id}`, { method: 'DELETE' });
  announceChange();
  letDraftsGo();
  await findInboxRow('Sung today').getByRole('button', { name: 'Written feedback' }).click();
  await expectEverythingBack();
});

test('the device deletes a reply’s audio after the reply is released', async () => {
  const { letOut, recording } = await sendEverything();
  letOut();
  announceChange();
  await expectCount(sentRepliesBar, 0);
  await expect.poll(() => getTakeStore().listOf(user.id)).toEqual([]);
  await expectCount(card, 0);
  expect(getDraftText(recording)).toBeUndefined();
});

test('on a phone with a short screen, the undo bar is at the bottom of the window', async () => {
  await page.viewport(375, 553);
  await sendEverything();
  const { bottom } = sentRepliesBar.element().getBoundingClientRect();
  expect(innerHeight - bottom).toBeLessThan(20);
});
