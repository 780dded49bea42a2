import { afterEach, expect, test } from 'vitest';
import { commands } from 'vitest/browser';
import { api } from '#app/api.ts';
import { buildMelody, mockLibrary, getToneFileName } from '#testing/browser/community.ts';
import { mockEndpoint, breakConnection, getCalls } from '#testing/browser/fake-api.ts';
import { fakeMicrophone } from '#testing/browser/fake-microphone.ts';
import { openPlayerByUrl, playerDialog, getPlayingElements } from '#testing/browser/player.ts';
import { expectCount, page } from '#testing/browser/screen.ts';
import {
  expectRecordingInProgress,
  openSubmitPage,
  pressRecord,
  pressStop,
  recordAgainButton,
} from '#testing/browser/submit-page.ts';

const WORDS = 'bo: ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།\nOm mani padme hung\nen: The six syllables\n\nAh la la ho';
const spoken = { audioUrl: getToneFileName(3), audioCopies: [], duration: 3, peaks: null };
const NOTES = [
  { id: 1, line: 1, text: 'Rest on “hung”.\nThen breathe.', voice: spoken },
  { id: 2, line: 2, text: '', voice: spoken },
  { id: 3, line: 4, text: 'དབུགས་དལ་བུས་གཏོང་།', voice: null },
];

afterEach(() => commands.emulateMedia({ media: null }));

test('notes open next to the recorder, but voice notes can’t play while recording', async () => {
  fakeMicrophone();
  const melody = buildMelody('Mani', { melodyText: WORDS });
  mockLibrary([melody]);
  mockEndpoint(api.teachingNotes.list, NOTES);
  await openSubmitPage(`/submit?melody=${melody.id}`);
  const words = page.getByRole('region', { name: 'Words of Mani' });
  const sign = words.getByRole('button', { name: 'Khandro-la’s 2 notes on “Om mani padme hung”' });
  await expect.element(sign).toHaveAttribute('aria-expanded', 'false');
  await expectCount(words.getByText('Rest on “hung”.'), 0);
  await sign.click();
  await expect.element(words.getByText('Rest on “hung”.')).toBeVisible();
  const [voice] = [words.getByRole('button', { name: 'Play the voice note, 3 seconds' }).first()];
  await voice.click();
  await expect.poll(() => getPlayingElements().length).toBe(1);
  await pressRecord();
  await expectRecordingInProgress();
  expect(getPlayingElements()).toEqual([]);
  // The words now fill the screen, with their notes closed.
  await sign.click();
  await expect.element(voice).toHaveAttribute('aria-disabled', 'true');
  (voice.element() as HTMLElement).click();
  expect(getPlayingElements()).toEqual([]);
  await pressStop();
  await expect.element(recordAgainButton).toBeVisible();
  await sign.click();
  await expect.element(voice).not.toHaveAttribute('aria-disabled');

  breakConnection(api.teachingNotes.list);
  await openSubmitPage(`/submit?melody=${melody.id}`);
  await expect.poll(() => getCalls(api.teachingNotes.list).length).toBeGreaterThan(1);
  await expect.element(words).toBeVisible();
  await expectCount(words.getByRole('button'), 0);
  await expectCount(page.getByRole('alert'), 0);
});

test('the printed words include notes with text, but not notes that are only spoken', async () => {
  mockEndpoint(api.teachingNotes.list, NOTES);
  await openPlayerByUrl(buildMelody('Mani', { melodyText: WORDS }));
  await expectCount(playerDialog.getByRole('button', { name: /^Khandro-la’s/ }), 2);
  dispatchEvent(new Event('beforeprint'));
  await commands.emulateMedia({ media: 'print' });
  const printed = [...document.querySelectorAll('.printed-words li')].map((line) =>
    [...line.querySelectorAll('p')].map(({ textContent }) => textContent),
  );
  expect(printed).toEqual([
    [
      'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།',
      'Om mani padme hung',
      'The six syllables',
      'Khandro-la’s note Rest on “hung”.\nThen breathe.',
    ],
    ['Ah la la ho', 'Khandro-la’s note དབུགས་དལ་བུས་གཏོང་།'],
  ]);
  const notes = [...document.querySelectorAll('.printed-note span')].map((note) => getComputedStyle(note));
  expect(notes.map(({ textTransform }) => textTransform)).toEqual(['none', 'none']);
  expect(notes[1]!.fontFamily).toContain('Noto Serif Tibetan');
  dispatchEvent(new Event('afterprint'));
});
