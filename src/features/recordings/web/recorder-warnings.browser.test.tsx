import { expect, test, vi } from 'vitest';
import { fakeMicrophone } from '#testing/browser/fake-microphone.ts';
import { reloadPage } from '#testing/browser/render-page.tsx';
import { expectCount, page } from '#testing/browser/screen.ts';
import {
  discardAbandonedTake,
  abandonedTakeOffer,
  expectRecordingInProgress,
  openSubmitPage,
  recordTake,
  recordAgainButton,
  recordOneSecond,
} from '#testing/browser/submit-page.ts';

const SILENT = /^We can’t hear anything in this recording\./;
const QUIET = /^This recording is very quiet\./;
const CLIPPED = /^This recording is very loud in places\./;
const LOST = 'The microphone was disconnected. Everything up to that point is here.';
const MISSED =
  'Some of your singing may be missing because you left this page for a while. Keep this page on the screen while you sing.';
const AFTER_CALL =
  'Your device paused the microphone for a while, maybe for a call. That part wasn’t recorded.';
const CALL = 'Not recording: something else is using the microphone, maybe a call.';

/** Simulates the system interrupting and resuming the recorder's audio context. */
function fakeCalls() {
  let used: AudioContext | undefined;
  const { createMediaStreamSource } = AudioContext.prototype;
  vi.spyOn(AudioContext.prototype, 'createMediaStreamSource').mockImplementation(function (
    this: AudioContext,
    stream,
  ) {
    // oxlint-disable-next-line typescript/no-this-alias -- the recorder creates a context for each recording
    used = this;
    return createMediaStreamSource.call(this, stream);
  });
  return (isHeld: boolean) => {
    if (isHeld) Object.defineProperty(used, 'state', { value: 'interrupted', configurable: true });
    else delete (used as { state?: string }).state;
    used?.dispatchEvent(new Event('statechange'));
  };
}

/** Hides the page for some seconds, during which no audio arrives, then shows it again. */
function sleep(seconds: number) {
  const see = (state: DocumentVisibilityState) => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const { now } = Date;
  see('hidden');
  vi.spyOn(Date, 'now').mockImplementation(() => now() + seconds * 1_000);
  see('visible');
}

test('warns about a silent or quiet recording, even when offered again after a reload', async () => {
  const microphone = fakeMicrophone();
  await openSubmitPage();
  microphone.sing(0.01);
  await recordTake();
  await expect.element(page.getByText(QUIET)).toBeVisible();
  await recordAgainButton.click();
  microphone.sing(0);
  await recordTake();
  await expect.element(page.getByText(SILENT)).toBeVisible();
  await expectCount(page.getByText(QUIET), 0);

  await reloadPage();
  await expect.element(abandonedTakeOffer.getByText(SILENT)).toBeVisible();
  await abandonedTakeOffer.getByRole('button', { name: 'Use this recording' }).click();
  await expect.element(recordAgainButton).toBeVisible();
  await expectCount(page.getByText(SILENT), 1);
});

test('shows notices about a call, time in the background and a lost microphone', async () => {
  const microphone = fakeMicrophone();
  const hold = fakeCalls();
  microphone.sing(4);
  await openSubmitPage();
  await recordOneSecond();
  hold(true);
  await expect.element(page.getByText(CALL).first()).toBeVisible();
  await expectCount(page.getByText(AFTER_CALL, { exact: true }), 0);
  hold(false);
  await expectRecordingInProgress();
  await expect.element(page.getByText(AFTER_CALL, { exact: true })).toBeVisible();
  sleep(5);
  await expect.element(page.getByText(MISSED, { exact: true })).toBeVisible();
  microphone.unplug();
  await expect.element(page.getByText(LOST)).toBeVisible();
  await expect.element(page.getByText(MISSED, { exact: true })).toBeVisible();

  await reloadPage();
  for (const sentence of [LOST, MISSED, AFTER_CALL, CLIPPED])
    await expect.element(abandonedTakeOffer.getByText(sentence)).toBeVisible();
  await discardAbandonedTake();
  await expectCount(abandonedTakeOffer, 0);
});
