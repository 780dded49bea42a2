import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { api } from '#app/api.ts';
import { setPageUser } from '#web/api/page-user.ts';
import { takeStore } from '#features/recordings/web/takes/use-takes.ts';
import { aFeedback, aMelody, aRecording, aStudent, library, soundFile } from '#testing/browser/community.ts';
import { answer, hold } from '#testing/browser/fake-api.ts';
import { painted, watchLayoutShifts } from '#testing/browser/layout-shifts.ts';
import { expectFineEverywhere } from '#testing/browser/look.ts';
import { chooseFile, expectCount, expectText, page, toast } from '#testing/browser/screen.ts';
import {
  choose,
  found,
  isSubmitted,
  open,
  recordAgain,
  sent,
  sing,
  stop,
  submit,
  title,
} from '#testing/browser/submit-page.ts';
import { SUNG_TEXT, timings } from '#testing/sung-text.ts';
import { takeUploads } from '#testing/browser/uploads.ts';
import { PATIENCE_MS } from './found-take.tsx';
import { stopSending } from '#features/recordings/web/sending.ts';

const MOST_SHIFT = 0.02;

const note = page.getByText('Add a note');
const message = page.getByLabelText('Message');
const start = page.getByRole('button', { name: 'Start recording' });

beforeEach(takeUploads);
// Stops sending, as closing the tab does.
afterEach(stopSending);

const melodyText = Array.from({ length: 30 }, (_, line) => `sangye chö dang ${line}`).join('\n');

/** Sets up a student with feedback. Returns the address for recording the same melody again. */
function answered() {
  const melody = aMelody('Refuge', { melodyText });
  library([melody]);
  const sung = aRecording('Refuge', { melodyId: melody.id, duration: 3, attempt: 1, status: 'reviewed' });
  const writtenFeedback = 'Let the second breath come earlier. '.repeat(4);
  answer(api.recordings.countMine, { count: 1 });
  answer(api.feedback.latest, { feedback: aFeedback(sung, { writtenFeedback }) });
  return `/submit?melody=${melody.id}&after-recording=${sung.id}&player=${melody.id}`;
}

const isInSight = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
};

test.each([
  [375, 553],
  [1280, 900],
])('at %i × %i the recorder is visible and nothing moves when content loads late', async (width, height) => {
  await page.viewport(width, height);
  const path = answered();
  // The fonts are loaded first, as on any visit but the first.
  await open(path);
  await expect.element(page.getByText('sangye chö dang 0')).toBeInTheDocument();
  await document.fonts.ready;

  const shifts = watchLayoutShifts();
  onTestFinished(() => shifts.end());
  const late = [api.melodies.list, api.recordings.countMine, api.feedback.latest].map((endpoint) =>
    hold(endpoint),
  );
  await open(path);
  await expect.element(start).toBeVisible();
  expect(isInSight(start.element())).toBe(true);
  await painted();
  for (const come of late) {
    come();
    await painted();
  }
  await expect.element(page.getByText('sangye chö dang 0')).toBeInTheDocument();
  await expect.element(page.getByText('Your second recording of this melody')).toBeInTheDocument();
  await expect.element(page.getByRole('heading', { name: /^Khandro-la’s feedback$/ })).toBeInTheDocument();
  expect(isInSight(start.element())).toBe(true);
  expect(await shifts.sum()).toBeLessThanOrEqual(MOST_SHIFT);
});

test('shows the form together with a recording left on the device, without a shift', async () => {
  await page.viewport(390, 844);
  const user = aStudent();
  const take = { userId: user.id, purpose: 'recording', origin: 'uploaded', type: 'audio/wav' } as const;
  await takeStore().keepFile({ ...take, name: 'left.wav' }, await soundFile('left.wav', 2), {
    seconds: 2,
    peaks: null,
  });
  const read = Promise.withResolvers<void>();
  const { blobOf } = takeStore();
  const reading = vi.spyOn(takeStore(), 'blobOf').mockImplementation(async (kept) => {
    await read.promise;
    return blobOf(kept);
  });
  // The page's time limit for the device never expires here, however slow the machine is.
  const { setTimeout: later } = window;
  vi.spyOn(window, 'setTimeout').mockImplementation(((act: () => void, after: number) =>
    after === PATIENCE_MS ? 0 : later(act, after)) as typeof setTimeout);
  const path = answered();
  const shifts = watchLayoutShifts();
  onTestFinished(() => shifts.end());
  await open(path, user);
  await expect.poll(() => reading.mock.calls.length).toBeGreaterThan(0);
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await painted();
  await expectCount(start, 0);
  read.resolve();
  await expect.element(found).toBeVisible();
  await expect.element(start).toBeVisible();
  expect(await shifts.sum()).toBeLessThanOrEqual(MOST_SHIFT);
});

test('recording is possible even if the device’s storage does not respond', async () => {
  vi.spyOn(takeStore(), 'listOf').mockReturnValue(new Promise(() => undefined));
  await open(answered());
  await expect.element(start).toBeVisible();
});

test('while recording, the lit line has equal room above and below', async () => {
  await page.viewport(390, 844);
  const melody = aMelody('Refuge', { melodyText: SUNG_TEXT, timings });
  library([melody]);
  await open(`/submit?melody=${melody.id}`);
  await start.click();
  const lit = page.css('.practice-words [aria-current]');
  await expect.element(lit).toBeVisible();
  const { top, bottom } = lit.element().getBoundingClientRect();
  const layers = lit
    .css('[data-line]')
    .elements()
    .map((layer) => layer.getBoundingClientRect());
  expect(Math.abs(layers[0]!.top - top - (bottom - layers.at(-1)!.bottom))).toBeLessThanOrEqual(8);
  await stop();
});

test('on a phone, a student records a melody, submits and returns to the player', async () => {
  await page.viewport(390, 844);
  const melody = aMelody('Refuge', { melodyText });
  library([melody]);
  await open(`/submit?melody=${melody.id}&player=${melody.id}`);
  const practised = [{ melodyId: melody.id, line: 2, rate: 0.75, at: Date.now() }];
  setPageUser('singer');
  localStorage.setItem('practised singer', JSON.stringify(practised));
  await expect.element(title).not.toBeVisible();
  await sing();
  await stop();
  await expect.element(recordAgain).toBeVisible();
  await note.click();
  await message.fill('The second line is hard.');
  await expectFineEverywhere('after the take');
  await submit.click();
  await isSubmitted();
  expect(sent()).toEqual(['Refuge']);
  await expect
    .element(page.getByRole('link', { name: 'Continue practising' }))
    .toHaveAttribute('href', `/melodies?play=${melody.id}&line=3&speed=0.75`);
});

test('on a phone, the title opens if it is needed and typed text stays visible', async () => {
  await page.viewport(390, 844);
  const user = aStudent();
  const melody = aMelody('Refuge', { melodyText });
  library([melody]);
  const path = `/submit?melody=${melody.id}`;
  await open(path, user);
  await choose(await soundFile('song.wav', 1));
  await note.click();
  await title.fill('');
  await note.click();
  await expect.element(title).not.toBeVisible();
  await submit.click();
  await expect.element(title).toHaveFocus();
  await title.fill('Slowly');
  await open(path, user);
  await expect.element(title).toBeVisible();
  await expect.element(title).toHaveValue('Slowly');
  await open('/submit', user);
  await expect.element(title).toBeVisible();
});

test('a rejected file keeps the previous sound, which is sent', async () => {
  await open();
  await title.fill('The first one');
  await choose(await soundFile('first.wav', 1));
  await expect.element(page.getByText('first.wav', { exact: true }).first()).toBeVisible();
  chooseFile(page.css('input[type=file]'), new File(['%PDF-1.7 no sound'], 'second.pdf'));
  await expectText(toast, 'Still using “first.wav”.');
  await expectText(
    page.getByRole('alert').filter({ hasText: 'Can’t use this file' }),
    'Still using “first.wav”.',
  );
  await submit.click();
  await isSubmitted();
  expect(sent()).toEqual(['The first one']);
});
