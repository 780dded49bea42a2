import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { aMelody, aTeacher, library, type Melody } from '#testing/browser/community.ts';
import { answer, breakConnection, fileBecomes, refuse } from '#testing/browser/fake-api.ts';
import { expectFineEverywhere } from '#testing/browser/look.ts';
import {
  aSong,
  heard,
  openAgain,
  openPlayer,
  openSettings,
  player,
  pressIn,
  pressLine,
  sound,
} from '#testing/browser/player.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectCount, expectText, page, press, userEvent } from '#testing/browser/screen.ts';

const TEXT =
  'bo: སངས་རྒྱས་ཆོས་དང་ཚོགས།\nSangye chö dang tsok\nen: In the Buddha\n\nJangchub bardu\n\nDak gi jin sok';
const STARTS = [0, 1.5, 3];
const timings = [0, 4, 6].map((line, i) => ({ line, start: STARTS[i]! }));
const aTimedSong = (given: Partial<Melody> = {}) =>
  aSong({ melodyText: TEXT, timings, seconds: 12, ...given });

test('everyone can use the player while it plays, when all was heard, and when a loop was let go', async () => {
  await openPlayer(aTimedSong());
  await openSettings('Repeats and your turn');
  await player.getByLabelText('Loop plays').selectOptions('another …');
  for (let times = 0; times < 3; times += 1) await pressIn('Once less');
  await pressIn('Close repeats and your turn');
  await pressIn('Lines');
  await pressIn('Loop lines');
  await pressLine(/Begin the loop with “Sangye|Begin the loop with “སངས/);
  await pressLine(/End the loop with “Sangye|End the loop with “སངས/);
  await expect.element(player.getByText('Line 1 · done')).toBeVisible();
  await expectFineEverywhere('done, the words looping');

  await pressLine(/Play from “Dak gi/);
  await expect.element(player.getByRole('button', { name: 'Loop again' })).toBeVisible();
  await expect.element(page.css('.sung-text [aria-current]')).toBeVisible();
  await expectFineEverywhere('playing, a line lit, the loop let go');

  await page.viewport(320, 640);
  await pressIn('Menu');
  await expectFineEverywhere('the menu');
  await pressIn('Repeats and your turn');
  await player.getByLabelText('Loop plays').selectOptions('another …');
  await player.getByLabelText('Number of times').fill('0');
  await expectFineEverywhere('a number that cannot be');
});

test('everyone can come back to the line being sung', async () => {
  const many = Array.from({ length: 40 }, (_, i) => `Line ${i}`);
  await openPlayer(
    aSong({
      melodyText: many.join('\n\n'),
      timings: many.map((_, i) => ({ line: i * 2, start: i })),
      seconds: 60,
    }),
  );
  await pressLine('Play from “Line 0”, 0:00');
  await expect.poll(() => heard().at).toBeGreaterThan(0.2);
  await userEvent.wheel(page.css('.sung-text'), { delta: { y: 2_000 } });
  await expect.element(page.getByRole('button', { name: 'Back to the line being sung' })).toBeVisible();
  await expectFineEverywhere('the reader has scrolled');
});

test('everyone can use the player on a poor connection', async () => {
  const melody = aTimedSong({ audioUrl: 'far-away.wav' });
  await fileBecomes('far-away.wav', 'broken');
  await openPlayer(melody);
  await pressIn('Play');
  await expect.element(player.getByText('The connection was lost.')).toBeVisible();
  await fileBecomes('far-away.wav', 'silent');
  await pressIn('Try again');
  await expect.element(player.getByText('The connection is slow.').first()).toBeVisible();
  await expect
    .element(player.getByRole('button', { name: 'Pause', exact: true }))
    .toHaveAttribute('aria-busy', 'true');

  await fileBecomes('far-away.wav', 'damaged');
  await renderPage('/melodies');
  await openPlayer(melody);
  await pressIn('Play');
  await expect.element(player.getByText(/^The sound of this melody is damaged/)).toBeVisible();
  await expect.element(player.getByRole('button', { name: 'Play', exact: true })).toBeDisabled();
  await expectFineEverywhere('damaged');

  library([melody]);
  breakConnection(api.melodies.one);
  await renderPage(`/melodies?play=${melody.id}`);
  await expect
    .element(player.getByText('The waveform and the times of the lines did not come.'))
    .toBeVisible();

  refuse(api.melodies.one, 404, { message: 'No such melody' });
  await renderPage('/melodies?play=999999');
  await expect.element(page.getByText('This melody is not in your library.')).toBeVisible();
  await expectFineEverywhere('not in the library');
  breakConnection(api.melodies.one);
  await renderPage('/melodies?play=999998');
  await expect.element(page.getByText('The melody could not be loaded.')).toBeVisible();
});

test('everyone can use a melody without sound, and one whose loops are approximate', async () => {
  const video = player.getByRole('link', { name: 'Video of Without sound (opens in a new tab)' });
  await openAgain(aMelody('Without sound', { vimeoUrl: 'https://video.example/1' }));
  await expect.element(video).toHaveAttribute('rel', expect.stringMatching(/noopener/));
  await expect.element(video).toHaveAttribute('target', '_blank');
  await expect.element(player.getByText('The words of this melody have not been added yet.')).toBeVisible();
  await expectFineEverywhere('video only');
  await openAgain(aMelody('Without sound', { melodyText: TEXT }));
  await expect.element(player.getByText('Jangchub bardu')).toBeVisible();
  await expectCount(video, 0);

  await page.viewport(320, 640);
  await openAgain(aTimedSong({ seeksExactly: false }));
  await pressIn('Menu');
  await pressIn('Repeats and your turn');
  await expect.element(player.getByText(/^Loops and timings are approximate with this file/)).toBeVisible();
  await expectFineEverywhere('approximate');
});

test('everyone can time the lines, whatever comes of it', async () => {
  const melody = aTimedSong();
  await openPlayer(melody, { user: aTeacher() });
  await pressIn('Time the lines');
  const openLrc = async () => {
    await pressIn('Menu');
    await pressIn('LRC file');
  };
  const paste = async (lrc: string, said: string) => {
    await openLrc();
    await player.getByLabelText('Or paste it here').fill(lrc);
    await pressIn('Use these times');
    await expect.element(player.getByText(said)).toBeVisible();
  };
  await paste('no times', 'No times were found in it.');
  await expectFineEverywhere('the panel for an LRC file, with an error');
  await pressIn('Close');
  await paste('[00:01]a\n[00:02]b\n[00:03]c\n[00:04]d', 'No line was found for “d”.');
  await openLrc();
  await userEvent.upload(
    player.css('input[type=file][accept*=lrc]'),
    new File(['x'.repeat(4_000_001)], 'song.lrc', { type: 'text/plain' }),
  );
  await expect.element(player.getByText('This file is too large to be an LRC file.')).toBeVisible();
  await expect.element(player.getByText('The times that were here have stayed.')).toBeVisible();
  await pressIn('Close');
  await expect.element(player.getByText('3 of 3 lines timed')).toBeVisible();
  await paste('[00:01.10]a\n[00:02.20]b\n[00:03.30]c', '3 of 3 lines have got a time.');

  const asked = page.getByRole('alertdialog');
  breakConnection(api.melodies.change);
  await pressIn(/^Save \d/);
  await expect.element(player.getByText('The timing could not be saved')).toBeVisible();
  await pressIn('Back to the words');
  await expectText(asked, 'Leave without saving the times?');
  await asked.getByRole('button', { name: 'Leave', exact: true }).click();
  await pressIn('Time the lines');
  await expect.element(player.getByText('Your unsaved times are here again')).toBeVisible();
  await expectFineEverywhere('unsaved times');
  await pressIn('Discard them');
  await expectText(asked, 'Discard the unsaved times?');
  await asked.getByRole('button', { name: 'Discard', exact: true }).click();
  await expectCount(player.getByText('Your unsaved times are here again'), 0);

  answer(api.melodies.change, ({ body }) => ({
    ...melody,
    timings: JSON.parse(body['timings'] as string) as Melody['timings'],
  }));
  await pressIn('Menu');
  await pressIn('Play from the start');
  await pressIn(/^0:01\.5 .*Jangchub/);
  await pressIn('0.1 s later');
  sound().pause();
  await pressIn(/^Save \d/);
  await expect.element(player.getByText('Timing saved.', { exact: true })).toBeVisible();
  // While it is there, the toast lies over the cross on a phone.
  const toast = page.getByText('Timing saved', { exact: true });
  await expect.element(toast).toBeVisible();
  await expectCount(toast, 0);
  await expectFineEverywhere('saved');
});

test('everyone can use the player without sound, with and without a loop, and when it is their turn', async () => {
  const UNAVAILABLE =
    /^Audio Not Available: This audio file cannot be loaded\. It may have been uploaded in a different environment\.$/;
  const LONG = 'Lhündrup-Wangchuk-Tenzin-Gyaltsen-Rinchen-Dorje-Palden-Sangmo';
  const words = 'namo gurubhya\nབླ་མ་མཁྱེན་ནོ།';
  await openAgain(aMelody('Without sound', { melodyText: words }));
  await expect.element(page.getByRole('dialog').getByText('Audio Not Available')).toBeVisible();
  await page.viewport(320, 640);
  const melody = { ...aSong({ melodyText: words, seconds: 12 }), title: LONG.repeat(3) };
  await openAgain(melody);
  await expect.element(player.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expectFineEverywhere('no loop');
  await pressIn('Menu');
  await pressIn('Speed and volume');
  await expectFineEverywhere('speed');
  await pressIn('Close speed and volume');
  await pressIn('Menu');
  await pressIn('Repeats and your turn');
  await player.getByLabelText('Then your turn').selectOptions('2');
  await pressIn('Close repeats and your turn');
  await pressIn('Set A Point');
  await pressIn('Set B Point');
  await expect.element(page.getByRole('alertdialog')).toBeVisible();
  await expectFineEverywhere('B before A');
  await userEvent.keyboard('{Escape}');
  // A loop from 5 to 6 seconds.
  const position = player.getByRole('slider', { name: /Position/ });
  await press(position, 'Home');
  await press(position, 'ArrowRight');
  await pressIn('Set A Point');
  await press(position, 'ArrowRight');
  await pressIn('Set B Point');
  const b = player.getByRole('slider', { name: 'B point' });
  for (let times = 0; times < 4; times += 1) await press(b, 'PageDown');
  await expectFineEverywhere('loop');
  await pressIn('Play');
  await expect.element(player.getByText('Your turn · ')).toBeVisible();
  await expectFineEverywhere('your turn');

  await openAgain({ ...melody, audioUrl: 'missing.wav' });
  await pressIn('Play');
  await expectText(player.getByRole('alert'), UNAVAILABLE);
});
