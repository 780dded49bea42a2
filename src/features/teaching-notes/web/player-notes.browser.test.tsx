import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildStudent, type MelodyFixture, getToneFileName } from '#testing/browser/community.ts';
import { mockEndpoint, getCalls, holdResponses, rejectCalls } from '#testing/browser/fake-api.ts';
import { openPageWithStream, sendChanges } from '#testing/browser/fake-event-stream.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import {
  buildMelodyWithText,
  getPlaybackState,
  openPlayerByUrl,
  playerDialog,
  pressPlayerButton,
  getLastPlayedElement,
  getPlayingElements,
} from '#testing/browser/player.ts';
import { mockLibrary } from '#testing/browser/community.ts';
import { clickInPage, expectCount, expectText, page, pressKeyOn } from '#testing/browser/screen.ts';
import type { TeachingNote } from '../contract.ts';

const LINES = [1, 2, 3, 4, 5];
const aNotedSong = (given: Partial<MelodyFixture> = {}) =>
  buildMelodyWithText({
    melodyText: LINES.map((n) => `bo: སངས་རྒྱས་ཆོས་དང་ཚོགས།\nLine ${n} namo\nen: Praise to the ${n}`).join(
      '\n\n',
    ),
    timings: LINES.map((_, i) => ({ line: i * 4, start: i * 4 })),
    ...given,
  });

const line = (n: number) => page.css('.sung-text li').filter({ hasText: `Line ${n} ` });
const cardsOf = (n: number) => line(n).getByRole('group', { name: 'Khandro-la’s note' });
const signOf = (n: number) => line(n).getByRole('button', { name: /^Khandro-la’s .*note/ });
/** Opens the notes of the first line, which then stay open while other lines are sung. */
const openFirstNotes = () => signOf(1).click();

let ids = 0;
const aNote = (n: number, text: string, given: Partial<TeachingNote> = {}): TeachingNote => ({
  id: (ids += 1),
  line: (n - 1) * 4,
  text,
  voice: null,
  ...given,
});
const buildNoteVoice = (seconds: number) => ({
  voice: { audioUrl: getToneFileName(seconds), audioCopies: [], duration: Math.ceil(seconds), peaks: null },
});
const passage = { audioUrl: getToneFileName(20), audioCopies: [], duration: 20, peaks: null };
const WORDS = 'The voice rises on “ngö” and rests on “nye”. Let the breath end first.';
const LONG = `${'Let each word be carried by the breath that came before it. '.repeat(16)}End.`;

test('on a small phone, a note fits below the line being sung', async () => {
  await page.viewport(375, 553);
  const notes = [aNote(3, WORDS, buildNoteVoice(1.5)), aNote(4, 'Softer.')];
  mockEndpoint(api.teachingNotes.list, notes);
  await openPlayerByUrl(aNotedSong(), '&line=3');
  await expect.element(line(3)).toHaveAttribute('aria-current', 'true');
  await expect.element(cardsOf(3).getByText(WORDS)).toBeVisible();
  const view = playerDialog.getByRole('region', { name: 'Words of Song' }).element().getBoundingClientRect();
  const isWithin = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= view.top && bottom <= view.bottom;
  };
  await expect.poll(() => isWithin(line(3).element())).toBe(true);
  expect(view.height / innerHeight).toBeGreaterThanOrEqual(0.55);
  for (const part of ['.sung-tibetan', '.sung-phonetics', '.sung-translation']) {
    const [sung, other] = [3, 2].map((n) => line(n).element().querySelector(part)!);
    expect(parseFloat(getComputedStyle(sung!).fontSize)).toBeGreaterThan(
      parseFloat(getComputedStyle(other!).fontSize),
    );
  }
  await expectText(cardsOf(3), /Khandro-la’s note.*0:02/);
  // Other lines show only a bookmark button, which opens their notes.
  await expectCount(cardsOf(4), 0);
  const sign = signOf(4).element().getBoundingClientRect();
  expect([sign.width, sign.height].every((side) => side >= 44)).toBe(true);
  await signOf(4).click();
  await expect.element(cardsOf(4).getByText('Softer.')).toBeVisible();
  // The press on the button did not count as a press on the line.
  await expect.element(line(3)).toHaveAttribute('aria-current', 'true');
  expect(getPlaybackState().plays).toBe(false);
  await signOf(4).click();
  await expectCount(cardsOf(4), 0);

  // The words of a line stay in view even if it has two notes and the first is long.
  mockEndpoint(api.teachingNotes.list, [
    aNote(3, LONG, buildNoteVoice(1.5)),
    aNote(3, 'དབུགས་དལ་བུས་གཏོང་།'),
    notes[1]!,
  ]);
  await openPlayerByUrl(aNotedSong(), '&line=3');
  await expectCount(cardsOf(3), 2);
  await expect.element(cardsOf(3).first().getByText('Let each word')).toBeVisible();
  await expectCount(cardsOf(3).last().getByText('དབུགས'), 0);
  const sungWords = () => [...line(3).element().querySelectorAll('[data-line]')];
  await expect.poll(() => sungWords().every(isWithin)).toBe(true);
  expect(
    isWithin(
      cardsOf(3)
        .first()
        .getByRole('button', { name: /^Play the voice note/ })
        .element(),
    ),
  ).toBe(true);
  await cardsOf(3).getByRole('button', { name: 'More' }).click();
  expect(sungWords().every(isWithin)).toBe(true);
  await cardsOf(3).last().getByRole('button', { name: 'Show note' }).click();
  await expect.element(cardsOf(3).getByText('དབུགས་དལ་བུས་གཏོང་།')).toHaveAttribute('lang', 'bo');
  await cardsOf(3).first().getByRole('button', { name: 'Hide note' }).click();
  await expectCount(cardsOf(3).getByText('Let each word'), 0);
});

test('on a wide screen, a note’s bookmark stays beside the words when the note opens', async () => {
  await page.viewport(1440, 900);
  mockEndpoint(api.teachingNotes.list, [aNote(4, LONG)]);
  await openPlayerByUrl(aNotedSong(), '&line=1');
  await expect.element(signOf(4)).toBeVisible();
  const sign = () => signOf(4).element().getBoundingClientRect();
  const words = [...line(4).element().querySelectorAll('[data-line]')].map((part) => {
    const range = document.createRange();
    range.selectNodeContents(part);
    return range.getBoundingClientRect().right;
  });
  const before = sign().x;
  expect(before - Math.max(...words)).toBeGreaterThanOrEqual(0);
  expect(before - Math.max(...words)).toBeLessThan(60);
  await signOf(4).click();
  await expect.element(cardsOf(4).getByText('Let each word')).toBeVisible();
  expect(sign().x).toBeCloseTo(before, 0);
});

test('a voice note pauses a playing melody, which resumes when the voice note stops', async () => {
  mockEndpoint(api.teachingNotes.list, [
    aNote(1, WORDS, buildNoteVoice(30)),
    aNote(1, '', buildNoteVoice(20)),
  ]);
  await openPlayerByUrl(aNotedSong());
  await openFirstNotes();
  await pressPlayerButton('Play');
  await expect.poll(() => getPlaybackState().plays).toBe(true);
  const melody = getLastPlayedElement();
  const play = (seconds: number) =>
    clickInPage(line(1).getByRole('button', { name: `Play the voice note, ${seconds} seconds` }));
  /** Seeks close to the end of the voice note and waits until it has ended. */
  const end = async (voice: HTMLMediaElement) => {
    await expect.poll(() => voice.currentTime).toBeGreaterThan(0);
    voice.currentTime = voice.duration - 0.2;
    await expect.poll(() => voice.ended).toBe(true);
  };
  await play(30);
  const voice = getLastPlayedElement();
  expect(voice).not.toBe(melody);
  await expect.poll(() => getPlayingElements()).toEqual([voice]);
  const at = melody.currentTime;
  const goesOnAt = new Promise<number>((resolve) =>
    melody.addEventListener('play', () => resolve(melody.currentTime), { once: true }),
  );
  await end(voice);
  await expect.poll(() => melody.paused).toBe(false);
  expect((await goesOnAt) - at).toBeLessThan(1.5);
  expect(await goesOnAt).toBeGreaterThanOrEqual(at);

  // Plays one voice note after the other, then stops the second with its own button.
  await play(30);
  await play(20);
  await expect.poll(() => getPlayingElements()).toEqual([voice]);
  await line(1).getByRole('button', { name: 'Stop the voice note' }).click();
  await expect.poll(() => getPlayingElements()).toEqual([melody]);

  // Playing the melody stops the voice note.
  await play(20);
  await expect.poll(() => getPlayingElements()).toEqual([voice]);
  await pressPlayerButton('Play');
  await expect.poll(() => getPlayingElements()).toEqual([melody]);
  await pressPlayerButton('Pause');
  await play(30);
  await end(voice);
  expect(melody.paused).toBe(true);
});

test('shows a message and resumes the melody if a voice note fails to load', async () => {
  mockEndpoint(api.teachingNotes.list, [
    aNote(1, WORDS, { voice: { ...buildNoteVoice(2).voice, audioUrl: 'missing.wav' } }),
  ]);
  await openPlayerByUrl(aNotedSong());
  await openFirstNotes();
  await pressPlayerButton('Play');
  await expect.poll(() => getPlaybackState().plays).toBe(true);
  const melody = getLastPlayedElement();
  await line(1)
    .getByRole('button', { name: /^Play the voice note/ })
    .click();
  await expect
    .element(line(1).getByText('The voice note couldn’t be played. Please try again.'))
    .toBeVisible();
  await expect.poll(() => melody.paused).toBe(false);
});

test('a note plays a student’s passage until the student revokes the agreement', async () => {
  const note = aNote(1, WORDS, buildNoteVoice(3));
  mockEndpoint(api.teachingNotes.list, [{ ...note, studentPassage: { ...passage, name: 'པདྨ་ལྷ་མོ།' } }]);
  const melody = aNotedSong();
  mockLibrary([melody]);
  await openPageWithStream(`/melodies?play=${melody.id}`);
  await openFirstNotes();
  await expect.element(cardsOf(1).getByText('As པདྨ་ལྷ་མོ། sings it')).toBeVisible();
  await pressPlayerButton('Play');
  await expect.poll(() => getPlaybackState().plays).toBe(true);
  const song = getLastPlayedElement();
  await line(1)
    .getByRole('button', { name: /^Play how པདྨ་ལྷ་མོ། sings it/ })
    .click();
  const voice = getLastPlayedElement();
  await expect.poll(() => getPlayingElements()).toEqual([voice]);
  expect(voice.src).toContain(getToneFileName(20));
  mockEndpoint(api.teachingNotes.list, [note]);
  sendChanges('/api/melodies');
  await expectCount(cardsOf(1).getByText(/sings it/), 0);
  await expect.poll(() => getPlayingElements()).toEqual([song]);
  await pressPlayerButton('Pause');

  mockEndpoint(api.teachingNotes.list, [{ ...note, studentPassage: { ...passage, name: null } }]);
  sendChanges('/api/melodies');
  await expect.element(cardsOf(1).getByText('As a student sings it')).toBeVisible();
});

test('loading notes does not delay the player or show errors', async () => {
  const release = holdResponses(api.teachingNotes.list);
  const note = aNote(1, WORDS);
  mockEndpoint(api.teachingNotes.list, [note]);
  await openPlayerByUrl(aNotedSong({ timings: [{ line: 0, start: 0 }] }));
  await pressPlayerButton('Play');
  await expect.poll(() => getPlaybackState().plays).toBe(true);
  await expectCount(signOf(1), 0);
  release();
  await expect.element(cardsOf(1).getByText(WORDS)).toBeVisible();

  rejectCalls(api.teachingNotes.list, 500);
  const before = getCalls(api.teachingNotes.list).length;
  await openPlayerByUrl(aNotedSong());
  await expect.element(line(1)).toBeVisible();
  await expect.poll(() => getCalls(api.teachingNotes.list).length).toBeGreaterThan(before);
  await expectCount(playerDialog.getByRole('alert'), 0);
  await expectCount(signOf(1), 0);
  await expectCount(page.getByText(/could not be/), 0);
});

test('deleting a note stops its audio, and losing access to the melody hides all notes', async () => {
  const [first, second] = [aNote(1, 'First', buildNoteVoice(20)), aNote(1, 'Second')];
  mockEndpoint(api.teachingNotes.list, [first, second]);
  const melody = aNotedSong();
  mockLibrary([melody]);
  await openPageWithStream(`/melodies?play=${melody.id}`);
  await openFirstNotes();
  await pressPlayerButton('Play');
  await expectCount(cardsOf(1), 2);
  await line(1)
    .getByRole('button', { name: /^Play the voice note/ })
    .click();
  const voice = getLastPlayedElement();
  await expect.poll(() => getPlayingElements()).toEqual([voice]);
  mockEndpoint(api.teachingNotes.list, [second]);
  sendChanges('/api/melodies');
  await expectCount(cardsOf(1), 1);
  await expect.poll(() => voice.paused).toBe(true);
  await expect.element(cardsOf(1).getByText('Second')).toBeVisible();
  rejectCalls(api.teachingNotes.list, 404, { message: 'This melody no longer exists' });
  sendChanges('/api/melodies');
  await expectCount(playerDialog.getByText('Second'), 0);
  // No bookmark button remains, whichever line is being sung.
  await expectCount(signOf(1), 0);
  await expectCount(cardsOf(1), 0);
});

test('without audio or timings, a melody’s notes open from accessible bookmarks', async () => {
  const sung = { ...buildNoteVoice(2), studentPassage: { ...passage, name: 'པདྨ་ལྷ་མོ།' } };
  mockEndpoint(api.teachingNotes.list, [aNote(2, 'བྱང་ཆུབ་སེམས་དཔའ་ rests here', sung), aNote(2, LONG)]);
  await openPlayerByUrl(aNotedSong({ audioUrl: null, timings: null }), '', { user: buildStudent() });
  await pressKeyOn(signOf(2), 'Enter');
  await expectCount(cardsOf(2), 2);
  await expect.element(cardsOf(2).getByText('As པདྨ་ལྷ་མོ། sings it')).toBeVisible();
  await page.viewport(320, 640);
  await expectAccessibleWithoutOverflow('notes in the player');
  await expectText(signOf(2), '');
  await expect.element(signOf(2)).toHaveAccessibleName('Khandro-la’s 2 notes on “Line 2 namo”');
});
