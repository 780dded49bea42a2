import { expect, test, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { runWhenNavigationUnblocked } from '#web/navigation/navigation-block.ts';
import { getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import { buildStudent, buildTeacher, type MelodyFixture } from '#testing/browser/community.ts';
import { fakeMicrophone } from '#testing/browser/fake-microphone.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import {
  buildMelodyWithText,
  getPlaybackState,
  openPlayerByUrl,
  playerDialog,
  pressPlayerButton,
  getPlayingElements,
} from '#testing/browser/player.ts';
import { expectSubmitted, getSubmittedTitles, submitButton } from '#testing/browser/submit-page.ts';
import { mockUploads } from '#testing/browser/uploads.ts';
import {
  clickInPage,
  expectUrl,
  expectCount,
  expectText,
  page,
  pressKeyOn,
} from '#testing/browser/screen.ts';
// Imported up front, so that it is loaded when the player needs it, however busy the machine is.
import './sing-and-compare-panel.tsx';
import {
  MAX_PRACTICE_TAKES,
  parseTakePassage,
  getPracticeTakePurpose,
  serializeTakePassage,
} from './practice-take.ts';

const singer = buildStudent();
const aSongOfTwoLines = () =>
  buildMelodyWithText({
    melodyText: 'One namo\nTwo namo',
    timings: [
      { line: 0, start: 1 },
      { line: 1, start: 3 },
    ],
    seconds: 20,
  });

/** Makes storage fail, as in a private window of some browsers. */
const breakStorage = () =>
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(() => {
    throw new DOMException('', 'UnknownError');
  });
/** Makes every further write fail, as on a full device. */
function fillDevice() {
  const { put } = IDBObjectStore.prototype;
  return vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
    this: IDBObjectStore,
    ...given
  ) {
    const request = put.apply(this, given);
    this.transaction.abort();
    return request;
  });
}
/** Returns whether the browser would warn before the page closes. */
const isWarningBeforeLeaving = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
const IN_THIS_PAGE = /will be lost when you close this page\. Please send it first\.$/;
const NOT_HANDED_OVER =
  'Your recording wasn’t submitted, because this device couldn’t save it. It’s still here. Please try again.';
const inThisPage = playerDialog.getByText(IN_THIS_PAGE);

const button = (name: string) => playerDialog.getByRole('button', { name, exact: true });
const melodySound = () => playerDialog.css('audio').element() as HTMLAudioElement;
const listStoredTakes = async ({ id }: MelodyFixture) =>
  (await getTakeStore().listOf(singer.id)).filter(({ purpose }) => purpose === getPracticeTakePurpose(id));

/** Stores this many takes of a melody's first line, or of another passage, on the device. */
async function storeTakes({ id }: MelodyFixture, count: number, passage = { a: 1, b: 3 }) {
  const purpose = getPracticeTakePurpose(id);
  const sending = serializeTakePassage({ ...passage, rate: 1, offset: 0 });
  const file = { userId: singer.id, origin: 'uploaded', name: 'take.wav', type: 'audio/wav' } as const;
  for (let i = 0; i < count; i += 1)
    await getTakeStore().keepFile({ ...file, purpose, sending }, new Blob(['RIFF']), {
      seconds: 2,
      peaks: null,
    });
}

async function openSinging(melody: MelodyFixture) {
  await openPlayerByUrl(melody, '&line=1', { user: singer });
  await pressPlayerButton('Loop line “One namo”');
  await openSingAndCompare();
}

async function openSingAndCompare() {
  await pressPlayerButton('Sing');
  await pressPlayerButton('Just for me');
  await expect.element(playerDialog.getByRole('group', { name: 'Sing and compare' })).toBeVisible();
}

/** Sings until the passage is over, which ends the take. */
async function recordPassage() {
  await pressKeyOn(button('Record'), 'Enter');
  await expect.element(button('Done')).toHaveFocus();
  await expect.poll(() => getPlaybackState().plays).toBe(true);
  expect(melodySound().muted, 'the melody is silent').toBe(true);
  await expect.element(button('Mine')).toBeEnabled();
  expect(melodySound().muted).toBe(false);
  await expect.element(button('Record again')).toHaveFocus();
}

test('a student records a line, compares it with the teacher’s and submits it', async () => {
  fakeMicrophone();
  const melody = aSongOfTwoLines();
  await openSinging(melody);
  await expectText(playerDialog.getByText(/^Line 1 · /).first(), 'Line 1 · 0:01.0 – 0:03.0');
  expect(getPlaybackState().plays, 'nothing plays yet').toBe(false);
  await recordPassage();
  const [take] = await listStoredTakes(melody);
  expect(take).toMatchObject({ purpose: getPracticeTakePurpose(melody.id), state: 'recorded' });
  await expect
    .poll(async () => parseTakePassage((await listStoredTakes(melody))[0]!)?.offset)
    .toBeGreaterThan(0);
  const passage = parseTakePassage((await listStoredTakes(melody))[0]!)!;
  expect(passage).toMatchObject({ a: 1, b: 3, rate: 1 });
  // The take contains the passage of two seconds, and one second in which the last note rings out.
  expect(take!.seconds).toBeGreaterThan(2.5);

  await clickInPage(button('Khandro-la'));
  await expect.poll(() => getPlayingElements()).toEqual([melodySound()]);
  // Playback stops at the end of the line.
  await expect.poll(() => getPlayingElements()).toEqual([]);
  expect(getPlaybackState().at).toBeLessThan(4);
  await clickInPage(button('Mine'));
  await expect.poll(() => getPlayingElements()).toHaveLength(1);
  expect(getPlayingElements()).not.toContain(melodySound());
  await clickInPage(button('Together'));
  await expect.poll(() => getPlayingElements()).toHaveLength(2);
  await expect
    .poll(() => {
      const own = getPlayingElements().find((each) => each !== melodySound());
      return own && Math.abs(own.currentTime - passage.offset - (melodySound().currentTime - 1));
    })
    .toBeLessThan(0.1);
  await pressPlayerButton('Together');
  await expect.poll(() => getPlayingElements()).toEqual([]);
  await expectAccessibleWithoutOverflow('a take to compare');

  await pressPlayerButton('Submit');
  await expectUrl(new RegExp(`^/submit.melody=${melody.id}&player=${melody.id}&take=`));
  await expect.element(page.getByRole('heading', { name: 'Your recording' })).toBeVisible();
  await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Song');
  await expectCount(page.getByText('You have an unsent recording'), 0);
});

test('comparing a take of another passage plays that passage, then restores the loop', async () => {
  const melody = aSongOfTwoLines();
  await storeTakes(melody, 1, { a: 3, b: 20 });
  await openSinging(melody);
  await expectText(playerDialog.getByText(/^Line 1 · /).first(), 'Line 1 · 0:01.0 – 0:03.0');
  await expect.element(button('Khandro-la')).toBeEnabled();
  await clickInPage(button('Khandro-la'));
  await expect.element(playerDialog.getByText('The whole melody')).toBeVisible();
  await expect.poll(() => getPlaybackState().at).toBeGreaterThan(3.2);
  await pressPlayerButton('Khandro-la');
  await expectText(playerDialog.getByText(/^Line 1 · /).first(), 'Line 1 · 0:01.0 – 0:03.0');
  expect(getPlayingElements()).toEqual([]);
});

test('a take stays on the device until the student confirms deleting it', async () => {
  const melody = aSongOfTwoLines();
  await storeTakes(melody, 1);
  await openPlayerByUrl(melody, '&line=2', { user: singer });
  await openSingAndCompare();
  await expect.element(button('Record again')).toBeVisible();
  await pressPlayerButton('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep it' }).click();
  expect(await listStoredTakes(melody)).toHaveLength(1);
  await pressPlayerButton('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(async () => (await listStoredTakes(melody)).length).toBe(0);
  await expect.element(button('Record')).toHaveFocus();
});

test('a take cut off by closing the player is available when the player opens again', async () => {
  fakeMicrophone();
  const melody = aSongOfTwoLines();
  await openSinging(melody);
  await pressPlayerButton('Record');
  await expect.poll(async () => (await listStoredTakes(melody)).length).toBe(1);
  await openPlayerByUrl(melody, '&line=1', { user: singer });
  await openSingAndCompare();
  await expect.element(button('Mine')).toBeEnabled();
  expect(melodySound().muted).toBe(false);
});

test('without storage, leaving the page shows a warning until the take is submitted', async () => {
  breakStorage();
  mockUploads();
  fakeMicrophone();
  const melody = aSongOfTwoLines();
  await openSinging(melody);
  await expect.poll(isWarningBeforeLeaving).toBe(false);
  await pressPlayerButton('Record');
  await expect.element(inThisPage).toBeVisible();
  expect(isWarningBeforeLeaving()).toBe(true);
  await expect.element(button('Mine')).toBeEnabled();
  await expect.element(inThisPage).toBeVisible();
  await clickInPage(button('Mine'));
  await expect.poll(() => getPlayingElements()).toHaveLength(1);
  expect(isWarningBeforeLeaving()).toBe(true);
  const lead = vi.fn();
  runWhenNavigationUnblocked(lead);
  expect(lead).not.toHaveBeenCalled();

  await pressPlayerButton('Submit');
  await expect.element(page.getByRole('heading', { name: 'Your recording' })).toBeVisible();
  await expect.element(page.getByText(IN_THIS_PAGE)).toBeVisible();
  await page.getByRole('link', { name: 'Past Recordings' }).first().click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay here' }).click();
  expect(isWarningBeforeLeaving()).toBe(true);
  await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Song');
  await submitButton.click();
  await expectSubmitted();
  expect(getSubmittedTitles()).toEqual(['Song']);
  await expect.poll(isWarningBeforeLeaving).toBe(false);
});

test('no audio is lost if the device’s storage fills up during a take', async () => {
  fakeMicrophone();
  const melody = aSongOfTwoLines();
  await openSinging(melody);
  await pressPlayerButton('Record');
  await expect.poll(async () => (await listStoredTakes(melody)).length).toBe(1);
  fillDevice();
  await expect.element(button('Mine')).toBeEnabled();
  await expect.element(inThisPage).toBeVisible();
  // The audio that was stored before the failure is not listed as a second take.
  await expectCount(playerDialog.getByLabelText('Your recordings'), 0);
  expect(await listStoredTakes(melody)).toEqual([]);
  await pressPlayerButton('Delete');
  await expectText(page.getByRole('alertdialog'), 'It’s only on this page and can’t be recovered.');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect.element(button('Record')).toHaveFocus();
  await expect.poll(isWarningBeforeLeaving).toBe(false);
});

test('without storage, a take survives closing the player while singing', async () => {
  breakStorage();
  fakeMicrophone();
  const melody = aSongOfTwoLines();
  await openSinging(melody);
  await pressPlayerButton('Record');
  await expect.element(inThisPage).toBeVisible();
  navigate('/melodies');
  await expectCount(playerDialog, 0);
  await expect.poll(isWarningBeforeLeaving).toBe(true);
  navigate(`/melodies?play=${melody.id}&line=1`);
  await openSingAndCompare();
  await expect.element(button('Mine')).toBeEnabled();
  await pressPlayerButton('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(isWarningBeforeLeaving).toBe(false);
});

test('if storage fails during submit, the take stays and can be submitted again', async () => {
  const melody = aSongOfTwoLines();
  await storeTakes(melody, 1);
  await openSinging(melody);
  await expect.element(button('Submit')).toBeEnabled();
  const full = fillDevice();
  await pressPlayerButton('Submit');
  await expect.element(playerDialog.getByRole('alert')).toHaveTextContent(NOT_HANDED_OVER);
  await expect.element(button('Submit')).toBeEnabled();
  full.mockRestore();
  expect(await listStoredTakes(melody)).toHaveLength(1);
  await pressPlayerButton('Submit');
  await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Song');
});

test('recording is disabled once a melody has the maximum number of stored takes', async () => {
  const melody = aSongOfTwoLines();
  await storeTakes(melody, MAX_PRACTICE_TAKES);
  await openSinging(melody);
  await expect
    .element(playerDialog.getByText(`You have ${MAX_PRACTICE_TAKES} recordings here. Delete one first.`))
    .toBeVisible();
  await expect.element(button('Record again')).toHaveAttribute('aria-disabled', 'true');
  await expect.element(playerDialog.getByLabelText('Your recordings')).toBeVisible();
});

test('teachers don’t see the Sing button', async () => {
  await openPlayerByUrl(aSongOfTwoLines(), '&line=1', { user: buildTeacher() });
  await expect.element(button('Loop line “One namo”')).toBeVisible();
  await expectCount(playerDialog.getByRole('button', { name: /^Sing/ }), 0);
});

test('without a microphone, explains what to do and does not mute the melody', async () => {
  await openSinging(aSongOfTwoLines());
  navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
  await pressPlayerButton('Record');
  await expect.element(playerDialog.getByText(/^Could not access microphone/)).toBeVisible();
  expect(melodySound().muted).toBe(false);
});
