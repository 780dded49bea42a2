import { beforeEach, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import {
  buildFeedback,
  buildRecording,
  buildTeacher,
  type MeFixture,
  getToneFileName,
} from '#testing/browser/community.ts';
import { mockEndpoint, getCalls } from '#testing/browser/fake-api.ts';
import { fakeMicrophone } from '#testing/browser/fake-microphone.ts';
import {
  sendFeedbackElsewhere,
  getDraftText,
  focusFirstCard,
  mockInbox,
  getSentFeedback,
  changeDraftElsewhere,
} from '#testing/browser/inbox.ts';
import { expectAccessibleInBothThemes } from '#testing/browser/expect-accessible.ts';
import { reloadPage, renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, userEvent } from '#testing/browser/screen.ts';
import { readSentBytes } from '#testing/browser/spoken-part.ts';
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
const speak = card.getByRole('button', { name: /^(Hold to speak|(Speaking|Stop) \d)/ });
const hear = card.getByRole('button', { name: /^Play the voice comment at/ });
const send = card.getByRole('button', { name: 'Send Feedback' });
const getRecordingAudio = () => card.css('audio[src*="files"]').element() as HTMLAudioElement;
const onDevice = async () => (await getTakeStore().listOf(user.id)).map(({ id }) => id);

/** Matches the button's label after one second or more, because a busy machine may take longer. */
const FOR_A_SECOND = /^(Speaking|Stop) 0:(0[1-9]|[1-5]\d)/;

/** Opens an inbox with one recording of 20 s, positioned at 10 s. */
async function openAtTen() {
  const recording = buildRecording('Sung today', { audioUrl: getToneFileName(20), duration: 20 });
  mockInbox(recording);
  await renderPage('/admin', { user });
  await focusFirstCard('Sung today');
  getRecordingAudio().currentTime = 10;
  return recording;
}

async function playFromTen() {
  await openAtTen();
  await userEvent.keyboard(' ');
  await expect.poll(() => getRecordingAudio().currentTime).toBeGreaterThan(10);
}

/** Holds V for more than a second. */
async function speakByKey() {
  await userEvent.keyboard('{v>}');
  await expectText(speak, FOR_A_SECOND);
  await userEvent.keyboard('{/v}');
  await expect.element(hear).toBeVisible();
}

const sentMarks = () => getSentFeedback().flatMap(({ marks }) => marks);

/** Returns the bytes of the voice comment that the card plays. */
async function fetchPlayedBytes() {
  const { src } = card.css('audio[src^="blob:"]').element() as HTMLAudioElement;
  return new Uint8Array(await (await fetch(src)).arrayBuffer());
}

test('holding V records a voice comment, and releasing V resumes playback', async () => {
  await playFromTen();
  await userEvent.keyboard('{v>}');
  await expectText(speak, FOR_A_SECOND);
  const at = getRecordingAudio().currentTime;
  expect([getRecordingAudio().paused, at >= 10]).toEqual([true, true]);
  await expectAccessibleInBothThemes('a voice comment that is being recorded');
  const playsFrom: number[] = [];
  vi.spyOn(getRecordingAudio(), 'play').mockImplementationOnce(function (this: HTMLMediaElement) {
    playsFrom.push(this.currentTime);
    return HTMLMediaElement.prototype.play.call(this);
  });
  await userEvent.keyboard('{/v}');
  await expect.element(hear).toBeVisible();
  await expect.poll(() => playsFrom).toEqual([expect.closeTo(at - 2, 1)]);
  await expect.poll(() => getRecordingAudio().paused).toBe(false);
  const heard = await fetchPlayedBytes();
  // The reply has no text, and its second mark is empty.
  await userEvent.keyboard('m');
  await expect.element(card.getByLabelText(/^Comment at/).nth(1)).toBeInTheDocument();
  await send.click();
  await expect.element(page.getByText('All Caught Up')).toBeVisible();
  const [mark, ...others] = sentMarks();
  expect([mark?.text, others]).toEqual(['', []]);
  expect(Math.abs(mark!.start - at)).toBeLessThan(0.06);
  const sent = await readSentBytes(mark!.voice!);
  expect(sent).toEqual(heard);
  // More than one second of audio, at 64,000 bytes per second.
  expect(sent.length).toBeGreaterThan(64_000);
  expect(sent.some((byte, index) => index > 44 && byte !== 0)).toBe(true);
  await expect.poll(onDevice).toEqual([]);
});

test('a short press does not record, and “Record without holding” starts recording', async () => {
  await playFromTen();
  const at = getRecordingAudio().currentTime;
  // Dispatches the release a second after the events were created, as if the page were busy.
  const press = ['keydown', 'keyup'].map(
    (type) => new KeyboardEvent(type, { key: 'v', code: 'KeyV', bubbles: true }),
  );
  document.activeElement!.dispatchEvent(press[0]!);
  await expectText(speak, FOR_A_SECOND);
  document.activeElement!.dispatchEvent(press[1]!);
  await expect.element(card.getByText('Too short, so nothing was recorded.')).toBeVisible();
  await expect.poll(() => getRecordingAudio().paused).toBe(false);
  expect(getRecordingAudio().currentTime).toBeGreaterThanOrEqual(at);
  await expectCount(hear, 0);
  await card.getByRole('button', { name: 'Record without holding' }).click();
  await expectText(speak, FOR_A_SECOND);
  await expect.poll(onDevice).toHaveLength(1);
  await speak.click();
  await expect.element(hear).toBeVisible();
  // Enter and Space also start and stop recording.
  await expect.element(speak).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expectText(speak, FOR_A_SECOND);
  await userEvent.keyboard(' ');
  await expectCount(hear, 2);
  // Deleting a mark deletes its voice comment from the device.
  await card.getByRole('button', { name: /^Delete comment 1/ }).click();
  await expect.poll(onDevice).toHaveLength(1);
});

test('a voice comment interrupted by a reload is restored in a mark that can be sent', async () => {
  const recording = await openAtTen();
  await userEvent.keyboard('{v>}');
  await expectText(speak, FOR_A_SECOND);
  await expect.poll(onDevice).toHaveLength(1);
  await reloadPage();
  await userEvent.keyboard('{/v}');
  await expect.element(card.getByText(/^Your unsent voice comment was restored/)).toBeVisible();
  await expect.element(card.getByRole('button', { name: 'Play the voice comment at 0:10' })).toBeVisible();
  const heard = await fetchPlayedBytes();
  await expect.poll(() => getDraftText(recording)).toBe('');
  // The voice comment belongs to a mark now, so there is no notice.
  await reloadPage();
  await expect.element(hear).toBeEnabled();
  await expectCount(card.getByText(/^Your unsent voice comment was restored/), 0);
  await send.click();
  await expect.element(page.getByText('All Caught Up')).toBeVisible();
  expect(await readSentBytes(sentMarks()[0]!.voice!)).toEqual(heard);
});

test('the next visit deletes a sent voice comment that the closed page had not deleted', async () => {
  await openAtTen();
  await speakByKey();
  const remove = vi.spyOn(getTakeStore(), 'remove').mockReturnValue(new Promise(() => {}));
  await send.click();
  await expect.element(page.getByText('All Caught Up')).toBeVisible();
  expect(await onDevice()).toHaveLength(1);
  remove.mockRestore();
  await reloadPage();
  await expect.poll(onDevice).toEqual([]);
  await expectCount(card, 0);
  expect(getSentFeedback()).toHaveLength(1);
});

test('an unsent voice comment can be played after another teacher has answered', async () => {
  const recording = await openAtTen();
  await userEvent.keyboard('{v>}');
  await expectText(speak, FOR_A_SECOND);
  await expect.poll(onDevice).toHaveLength(1);
  sendFeedbackElsewhere(recording, 'The other’s words');
  await reloadPage();
  await userEvent.keyboard('{/v}');
  await expect.element(hear).toBeEnabled();
  expect(await onDevice()).toHaveLength(1);
  await card.getByRole('button', { name: 'Discard' }).click();
  await expect.element(page.getByText('All Caught Up')).toBeVisible();
  await expect.poll(onDevice).toEqual([]);
});

test('does not send a reply whose voice comment is on another device, and explains why', async () => {
  const recording = buildRecording('Sung today');
  mockInbox(recording);
  const voice = crypto.randomUUID();
  changeDraftElsewhere(recording, 'Well sung.', [{ start: 1, end: null, text: '', voice }]);
  await renderPage('/admin', { user });
  await expect.element(card.getByText('Recorded on another device')).toBeVisible();
  await send.click();
  await expect.element(card.getByText('Your voice comment at 0:01 is on another device.')).toBeVisible();
  expect(getSentFeedback()).toEqual([]);
  await card.getByRole('button', { name: 'Delete comment 1, 0:01' }).click();
  await send.click();
  await expect.element(page.getByText('All Caught Up')).toBeVisible();
  expect(sentMarks()).toEqual([]);
});

test('a correction keeps an existing voice comment and adds a new one', async () => {
  const [voice, marks] = [crypto.randomUUID(), [{ start: 1, end: null, text: '' }]];
  const recording = buildRecording('Sung today', {
    status: 'reviewed',
    audioUrl: getToneFileName(20),
    duration: 20,
  });
  const feedback = buildFeedback(recording, {
    marks: marks.map((mark) => ({ ...mark, voice })),
    voices: [{ id: voice, audioUrl: getToneFileName(2), audioCopies: [], duration: 2, peaks: null }],
    writtenFeedback: '0:01 – spoken',
  });
  mockEndpoint(api.feedback.given, [feedback]);
  mockEndpoint(api.feedback.correct, feedback);
  await renderPage('/past-feedback', { user });
  await page.getByRole('button', { name: /^Edit/ }).click();
  const form = page.getByRole('form');
  await form.getByRole('button', { name: 'Play the voice comment at 0:01' }).click();
  const plays = form.css(`audio[src*="${getToneFileName(2)}"]`);
  await expect.poll(() => (plays.element() as HTMLAudioElement).currentTime).toBeGreaterThan(0);
  const button = form.getByRole('button', { name: /^(Hold to speak|Stop \d)/ });
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard('{Enter}');
  await expectText(button, FOR_A_SECOND);
  await userEvent.keyboard('{Enter}');
  await expect.element(form.getByRole('button', { name: 'Play the voice comment at 0:00' })).toBeVisible();
  await form.getByRole('button', { name: 'Save correction' }).click();
  await expectCount(form, 0);
  const sent = JSON.parse(getCalls(api.feedback.correct)[0]?.body['marks'] as string) as Mark[];
  expect(sent).toMatchObject([
    { start: 0, voice: expect.any(String) as string },
    { start: 1, voice },
  ]);
  expect((await readSentBytes(sent[0]!.voice!)).length).toBeGreaterThan(64_000);
  expect(await readSentBytes(voice)).toHaveLength(0);
});
