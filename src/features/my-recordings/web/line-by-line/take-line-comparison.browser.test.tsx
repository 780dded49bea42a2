import { afterEach, expect, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { buildCompleteMelody, mockLibrary, fetchToneFile } from '#testing/browser/community.ts';
import { setFileState, holdResponses } from '#testing/browser/fake-api.ts';
import { fakeAligner } from '#testing/browser/fake-aligner.ts';
import { fakeMicrophone } from '#testing/browser/fake-microphone.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { expectCount, expectText, expectTexts, page } from '#testing/browser/screen.ts';
import {
  chooseAudioFile,
  expectRecordingInProgress,
  expectSubmitted,
  openSubmitPage,
  recordTake,
  recordAgainButton,
  pressRecord,
  submitButton,
} from '#testing/browser/submit-page.ts';
import { mockUploads } from '#testing/browser/uploads.ts';
import { stopSendingTakes } from '#features/recordings/web/take-sending.ts';

const WORDS = ['Hung orgyen yul gyi nubjang tsam', 'Pema gesar dongpo la', 'Yatsen chok gi ngödrub nye'];
const WHOLE = 'Your recording is fine to send.';

const section = page.getByRole('region', { name: 'Compare line by line' });
const line = (number: number) => section.getByRole('group', { name: `Line ${number}` });
const voices = (number: number) => line(number).getByRole('button');
const opener = (number: number) => section.getByRole('button', { name: `Line ${number}`, expanded: false });

/**
 * Duration of the latest melody, in seconds. Each test uses a longer melody, so that its audio file is not
 * cached from the previous test.
 */
let seconds = 10;
function melody(given: Parameters<typeof buildCompleteMelody>[1] = {}) {
  seconds += 0.5;
  const made = buildCompleteMelody('Seven Line Prayer', {
    melodyText: WORDS.join('\n'),
    audioUrl: `tone-${seconds}.wav`,
    duration: Math.ceil(seconds),
    timings: WORDS.map((_, at) => ({ line: at, start: at * 3 })),
    ...given,
  });
  mockLibrary([made]);
  return { made, path: `/submit?melody=${made.id}` };
}

const buildFoundLine = (at: number, sure = 0.9) => ({ line: at, start: at * 0.4, end: at * 0.4 + 0.3, sure });

// Stops sending, as closing the tab does.
afterEach(stopSendingTakes);
afterEach(() => void vi.unstubAllGlobals());

test('after recording, finds the lines and offers the pitch curves and a retake', async () => {
  fakeMicrophone();
  const aligner = fakeAligner();
  await openSubmitPage(melody().path);
  await recordTake();
  await expectText(section, 'Listening… 45%');
  await expectTexts(voices(2), ['Khandro-la']);
  await expectText(line(2), 'listening…');
  await aligner.progress(0.5);
  await expect.element(section.getByRole('progressbar')).toHaveAttribute('value', '72');
  await aligner.find([buildFoundLine(0), buildFoundLine(1, 0.4), buildFoundLine(2)]);
  await expectText(section, '2 of 3 lines found');
  await expectCount(section.getByRole('progressbar'), 0);
  await expectTexts(voices(1), ['Khandro-la', 'Mine', 'Play all']);
  await expectTexts(voices(2), ['Khandro-la']);
  await expectText(line(2), 'not found');
  expect(aligner.workers.every(({ hasEnded }) => hasEnded)).toBe(true);

  await opener(3).click();
  const n = 60;
  const rising = Float32Array.from({ length: n }, (_, at) => (at < 40 ? at * 20 : 800 - (at - 40) * 20));
  aligner.sees({
    melodyCents: rising,
    takeCents: rising.map((cents) => cents / 2),
    syllables: [0, 8, 16, 24, 32, 40, 50],
  });
  await section.getByRole('button', { name: 'See the melody’s shape' }).click();
  const picture = section.getByRole('img', { name: 'The melody’s shape in line 3, Khandro-la’s and yours' });
  await expect
    .element(picture)
    .toHaveAccessibleDescription(
      'Khandro-la’s line climbs from “Ya” and is highest on “ngö”. Yours climbs and is highest on the same syllables. The start of each syllable is an estimate.',
    );
  // Makes the bar at the bottom scroll with the page. A button that is partly behind a fixed bar would count
  // as too small.
  document.querySelector<HTMLElement>('form > .sticky')!.style.position = 'static';
  await expectAccessibleWithoutOverflow('lines are found');

  // The recording is kept until there is a new one.
  await section.getByRole('button', { name: 'Record again from here' }).click();
  const again = page.getByRole('region', { name: 'Record again from line 3' });
  await expect.element(page.getByRole('button', { name: 'Start recording' })).toHaveFocus();
  await expectTexts(again.getByRole('listitem'), [/^Line 3 ?Yatsen chok gi ngödrub nye/]);
  await expect
    .element(again.getByRole('button', { name: 'Khandro-la, line 3' }))
    .toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Keep my recording' }).click();
  await expectText(section, '2 of 3 lines found');
  await recordAgainButton.click();
  await expectCount(section, 0);
  await pressRecord();
  await expectRecordingInProgress();
  await expectCount(again, 0);
});

test('sending aborts the search for lines, and cancelling restarts the search', async () => {
  const aligner = fakeAligner();
  mockUploads();
  await openSubmitPage(melody().path);
  await chooseAudioFile(await fetchToneFile('song.wav', 2));
  await expectText(section, /Listening…/);
  await aligner.progress(0.5);
  const release = holdResponses(api.uploads.append);
  await submitButton.click();
  await page.getByRole('button', { name: 'Cancel sending' }).click();
  expect(aligner.workers.at(0)?.hasEnded).toBe(true);
  await aligner.progress(0.5);
  release();
  await submitButton.click();
  await expectSubmitted();
  expect(aligner.workers.map(({ hasEnded }) => hasEnded)).not.toContain(false);
});

test('finds the lines of a chosen file and keeps the file until it is replaced', async () => {
  const aligner = fakeAligner();
  await openSubmitPage(melody().path);
  await chooseAudioFile(await fetchToneFile('song.wav', 2));
  await aligner.find([buildFoundLine(0), buildFoundLine(1), buildFoundLine(2)]);
  await opener(1).click();
  await section.getByRole('button', { name: 'Record again from here' }).click();
  await expectText(page.getByRole('main'), 'Recording will replace the file you chose.');
  await expect.element(page.getByRole('button', { name: 'Start recording' })).toHaveFocus();
  await expectText(section, '3 of 3 lines found');

  // Choosing another file starts a new search.
  await chooseAudioFile(await fetchToneFile('other.wav', 2));
  await expectText(section, /Listening…/);
  await aligner.find([]);
  await expectText(page.getByRole('main'), `We couldn’t find the melody’s lines in your recording. ${WHOLE}`);
  await expectCount(section, 0);
});

test('explains that the melody can’t be loaded for comparison, and retries when online', async () => {
  const aligner = fakeAligner();
  const { made, path } = melody();
  await setFileState(made.audioUrl!, 'broken');
  await openSubmitPage(path);
  await chooseAudioFile(await fetchToneFile('song.wav', 2));
  const sentence = `We couldn’t load the melody to compare the lines. ${WHOLE}`;
  await expectText(page.getByRole('main'), sentence);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectText(page.getByRole('main'), sentence);
  await setFileState(made.audioUrl!, 'there');
  dispatchEvent(new Event('online'));
  await aligner.find([buildFoundLine(0)]);
  await expectText(section, '1 of 3 lines found');
});

test('explains that the browser can’t decode the audio or run the worker', async () => {
  const aligner = fakeAligner();
  await openSubmitPage(melody({ audioUrl: 'picture.png' }).path);
  await chooseAudioFile(await fetchToneFile('song.wav', 2));
  await expectText(
    page.getByRole('main'),
    `This browser can’t read the audio, so the lines can’t be compared. ${WHOLE}`,
  );
  aligner.breaks(true);
  await openSubmitPage(melody().path);
  await chooseAudioFile(await fetchToneFile('song.wav', 2));
  await expectText(page.getByRole('main'), `This browser can’t compare the lines. ${WHOLE}`);
  await expectCount(section, 0);
});

test('does not analyse audio longer than ten minutes', async () => {
  const aligner = fakeAligner();
  await openSubmitPage(melody({ duration: 601 }).path);
  await chooseAudioFile(await fetchToneFile('song.wav', 2));
  await expectText(
    page.getByRole('main'),
    /^.*Recordings and melodies longer than ten minutes can’t be compared line by line\./,
  );
  expect(aligner.workers).toEqual([]);
});
