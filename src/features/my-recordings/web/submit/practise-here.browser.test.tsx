import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { setPageUserId } from '#web/api/page-user.ts';
import { getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import {
  buildFeedback,
  buildMelody,
  buildRecording,
  buildStudent,
  mockLibrary,
  fetchToneFile,
} from '#testing/browser/community.ts';
import { mockEndpoint, holdResponses } from '#testing/browser/fake-api.ts';
import { waitForPaint, watchLayoutShifts } from '#testing/browser/layout-shifts.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import { chooseFile, expectCount, expectText, page, toastItem } from '#testing/browser/screen.ts';
import {
  chooseAudioFile,
  abandonedTakeOffer,
  expectSubmitted,
  openSubmitPage,
  recordAgainButton,
  getSubmittedTitles,
  recordOneSecond,
  pressStop,
  submitButton,
  titleField,
} from '#testing/browser/submit-page.ts';
import { SUNG_TEXT, SUNG_TEXT_TIMINGS } from '#testing/sung-text.ts';
import { mockUploads } from '#testing/browser/uploads.ts';
import { TAKE_SEARCH_TIMEOUT_MS } from './abandoned-take-offer.tsx';
import { stopSendingTakes } from '#features/recordings/web/take-sending.ts';

const MOST_SHIFT = 0.02;

const note = page.getByText('Add a note');
const message = page.getByLabelText('Message');
const start = page.getByRole('button', { name: 'Start recording' });

beforeEach(mockUploads);
// Stops sending, as closing the tab does.
afterEach(stopSendingTakes);

const melodyText = Array.from({ length: 30 }, (_, line) => `sangye chö dang ${line}`).join('\n');

/** Sets up a student with feedback. Returns the URL for recording the same melody again. */
function serveFeedback() {
  const melody = buildMelody('Refuge', { melodyText });
  mockLibrary([melody]);
  const sung = buildRecording('Refuge', { melodyId: melody.id, duration: 3, attempt: 1, status: 'reviewed' });
  const writtenFeedback = 'Let the second breath come earlier. '.repeat(4);
  mockEndpoint(api.recordings.countMine, { count: 1 });
  mockEndpoint(api.feedback.latest, { feedback: buildFeedback(sung, { writtenFeedback }) });
  return `/submit?melody=${melody.id}&after-recording=${sung.id}&player=${melody.id}`;
}

const isInSight = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
};

test.each([
  [375, 553],
  [1280, 900],
])('at %i × %i px the recorder is visible and late content causes no layout shift', async (width, height) => {
  await page.viewport(width, height);
  const path = serveFeedback();
  // Opens the page a first time, so that the fonts are cached, as on every later visit.
  await openSubmitPage(path);
  await expect.element(page.getByText('sangye chö dang 0')).toBeInTheDocument();
  await document.fonts.ready;

  const shifts = watchLayoutShifts();
  onTestFinished(() => shifts.end());
  const late = [api.melodies.list, api.recordings.countMine, api.feedback.latest].map((endpoint) =>
    holdResponses(endpoint),
  );
  await openSubmitPage(path);
  await expect.element(start).toBeVisible();
  expect(isInSight(start.element())).toBe(true);
  await waitForPaint();
  for (const come of late) {
    come();
    await waitForPaint();
  }
  await expect.element(page.getByText('sangye chö dang 0')).toBeInTheDocument();
  await expect.element(page.getByText('Your second recording of this melody')).toBeInTheDocument();
  await expect.element(page.getByRole('heading', { name: /^Khandro-la’s feedback$/ })).toBeInTheDocument();
  expect(isInSight(start.element())).toBe(true);
  expect(await shifts.sum()).toBeLessThanOrEqual(MOST_SHIFT);
});

test('shows the form and an abandoned recording together, without a layout shift', async () => {
  await page.viewport(390, 844);
  const user = buildStudent();
  const take = { userId: user.id, purpose: 'recording', origin: 'uploaded', type: 'audio/wav' } as const;
  await getTakeStore().keepFile({ ...take, name: 'left.wav' }, await fetchToneFile('left.wav', 2), {
    seconds: 2,
    peaks: null,
  });
  const read = Promise.withResolvers<void>();
  const { blobOf } = getTakeStore();
  const reading = vi.spyOn(getTakeStore(), 'blobOf').mockImplementation(async (kept) => {
    await read.promise;
    return blobOf(kept);
  });
  // Disables the page's timeout for the device's storage, because this machine may be slow.
  const { setTimeout: later } = window;
  vi.spyOn(window, 'setTimeout').mockImplementation(((act: () => void, after: number) =>
    after === TAKE_SEARCH_TIMEOUT_MS ? 0 : later(act, after)) as typeof setTimeout);
  const path = serveFeedback();
  const shifts = watchLayoutShifts();
  onTestFinished(() => shifts.end());
  await openSubmitPage(path, user);
  await expect.poll(() => reading.mock.calls.length).toBeGreaterThan(0);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await waitForPaint();
  await expectCount(start, 0);
  read.resolve();
  await expect.element(abandonedTakeOffer).toBeVisible();
  await expect.element(start).toBeVisible();
  expect(await shifts.sum()).toBeLessThanOrEqual(MOST_SHIFT);
});

test('recording is possible even if the device’s storage does not respond', async () => {
  vi.spyOn(getTakeStore(), 'listOf').mockReturnValue(new Promise(() => undefined));
  await openSubmitPage(serveFeedback());
  await expect.element(start).toBeVisible();
});

test('while recording, the current line has equal space above and below', async () => {
  await page.viewport(390, 844);
  const melody = buildMelody('Refuge', { melodyText: SUNG_TEXT, timings: SUNG_TEXT_TIMINGS });
  mockLibrary([melody]);
  await openSubmitPage(`/submit?melody=${melody.id}`);
  await start.click();
  const lit = page.css('.practice-words [aria-current]');
  await expect.element(lit).toBeVisible();
  const { top, bottom } = lit.element().getBoundingClientRect();
  const layers = lit
    .css('[data-line]')
    .elements()
    .map((layer) => layer.getBoundingClientRect());
  expect(Math.abs(layers[0]!.top - top - (bottom - layers.at(-1)!.bottom))).toBeLessThanOrEqual(8);
  await pressStop();
});

test('on a phone, a student records a melody, submits it and returns to the player', async () => {
  await page.viewport(390, 844);
  const melody = buildMelody('Refuge', { melodyText });
  mockLibrary([melody]);
  await openSubmitPage(`/submit?melody=${melody.id}&player=${melody.id}`);
  const practised = [{ melodyId: melody.id, line: 2, rate: 0.75, at: Date.now() }];
  setPageUserId('singer');
  localStorage.setItem('practised singer', JSON.stringify(practised));
  await expect.element(titleField).not.toBeVisible();
  await recordOneSecond();
  await pressStop();
  await expect.element(recordAgainButton).toBeVisible();
  await note.click();
  await message.fill('The second line is hard.');
  await expectAccessibleWithoutOverflow('after the take');
  await submitButton.click();
  await expectSubmitted();
  expect(getSubmittedTitles()).toEqual(['Refuge']);
  await expect
    .element(page.getByRole('link', { name: 'Continue practising' }))
    .toHaveAttribute('href', `/melodies?play=${melody.id}&line=3&speed=0.75`);
});

test('on a phone, collapsed fields expand if the title is missing or text was typed', async () => {
  await page.viewport(390, 844);
  const user = buildStudent();
  const melody = buildMelody('Refuge', { melodyText });
  mockLibrary([melody]);
  const path = `/submit?melody=${melody.id}`;
  await openSubmitPage(path, user);
  await chooseAudioFile(await fetchToneFile('song.wav', 1));
  await note.click();
  await titleField.fill('');
  await note.click();
  await expect.element(titleField).not.toBeVisible();
  await submitButton.click();
  await expect.element(titleField).toHaveFocus();
  await titleField.fill('Slowly');
  await openSubmitPage(path, user);
  await expect.element(titleField).toBeVisible();
  await expect.element(titleField).toHaveValue('Slowly');
  await openSubmitPage('/submit', user);
  await expect.element(titleField).toBeVisible();
});

test('keeps and sends the first file if a newly chosen file is rejected', async () => {
  await openSubmitPage();
  await titleField.fill('The first one');
  await chooseAudioFile(await fetchToneFile('first.wav', 1));
  await expect.element(page.getByText('first.wav', { exact: true }).first()).toBeVisible();
  chooseFile(page.css('input[type=file]'), new File(['%PDF-1.7 no sound'], 'second.pdf'));
  await expectText(toastItem, 'Still using “first.wav”.');
  await expectText(
    page.getByRole('alert').filter({ hasText: 'Can’t use this file' }),
    'Still using “first.wav”.',
  );
  await submitButton.click();
  await expectSubmitted();
  expect(getSubmittedTitles()).toEqual(['The first one']);
});
