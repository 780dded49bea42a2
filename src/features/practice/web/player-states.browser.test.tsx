import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildMelody, mockLibrary, type MelodyFixture } from '#testing/browser/community.ts';
import { breakConnection, setFileState } from '#testing/browser/fake-api.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import {
  buildMelodyWithText,
  openPlayerByUrl,
  openPlayer,
  playerDialog,
  pressPlayerButton,
  pressLine,
} from '#testing/browser/player.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { page, pressKeyOn } from '#testing/browser/screen.ts';

const LONG = 'Lhündrup-Wangchuk-Tenzin-Gyaltsen-Rinchen-Dorje-Palden-Sangmo';
const TEXT =
  'bo: སངས་རྒྱས་ཆོས་དང་ཚོགས།\nSangye chö dang tsok\nen: In the Buddha\n\nJangchub bardu\n\nDak gi jin sok';
const STARTS = [0, 1.5, 3];
const timings = [0, 4, 6].map((line, i) => ({ line, start: STARTS[i]! }));
const aTimedSong = (given: Partial<MelodyFixture> = {}) =>
  buildMelodyWithText({ melodyText: TEXT, timings, seconds: 60, ...given });

test('the player, its settings and the student’s turn are accessible', async () => {
  await page.viewport(320, 640);
  await openPlayerByUrl({ ...aTimedSong(), title: LONG.repeat(3) });
  await expect.element(playerDialog.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expectAccessibleWithoutOverflow('no loop');
  await pressPlayerButton('Sing');
  await expectAccessibleWithoutOverflow('ways to record');
  await pressPlayerButton('Close ways to record');
  await pressPlayerButton('Menu');
  await pressPlayerButton('Speed and volume');
  await expectAccessibleWithoutOverflow('speed');
  await pressPlayerButton('Close speed and volume');
  await pressPlayerButton('Menu');
  await pressPlayerButton('Repeats and pauses');
  await playerDialog.getByLabelText('Pause for you to sing', { exact: true }).selectOptions('2');
  await pressPlayerButton('Close repeats and pauses');

  // Loops the last line, so that the turn lasts two minutes.
  await pressKeyOn(playerDialog.getByRole('button', { name: /^Play from “Dak gi/ }), 'l');
  await pressKeyOn(playerDialog.getByRole('slider', { name: /^Position/ }), 'End');
  await expect.element(playerDialog.getByText('Your turn · ')).toBeVisible();
  await expectAccessibleWithoutOverflow('a loop, your turn');
});

test('the menu and repeats settings pass the accessibility check', async () => {
  await openPlayer(aTimedSong({ seeksExactly: false }));
  await pressLine(/^Play from “Dak gi/);
  await expect.element(page.css('.sung-text [aria-current]')).toBeVisible();
  await page.viewport(320, 640);
  await pressPlayerButton('Menu');
  await expectAccessibleWithoutOverflow('the menu');
  await pressPlayerButton('Repeats and pauses');
  await expect
    .element(playerDialog.getByText(/^With this file, loops and line times can be off/))
    .toBeVisible();
  await playerDialog.getByLabelText('Repeat', { exact: true }).selectOptions('another number…');
  await playerDialog.getByLabelText('Number of times').fill('0');
  await expectAccessibleWithoutOverflow('approximate loops, a number that cannot be');
});

test('shows why a melody does not play or load', async () => {
  const melody = aTimedSong({ audioUrl: 'far-away.wav' });
  await setFileState('far-away.wav', 'silent');
  await openPlayer(melody);
  await pressPlayerButton('Play');
  await expect.element(playerDialog.getByText('The connection is slow.').first()).toBeVisible();
  await expect
    .element(playerDialog.getByRole('button', { name: 'Pause', exact: true }))
    .toHaveAttribute('aria-busy', 'true');

  await setFileState('far-away.wav', 'damaged');
  await openPlayerByUrl(melody);
  await pressPlayerButton('Play');
  await expect.element(playerDialog.getByText(/^This melody’s audio file is damaged/)).toBeVisible();
  await expect.element(playerDialog.getByRole('button', { name: 'Play', exact: true })).toBeDisabled();
  await expectAccessibleWithoutOverflow('damaged');

  mockLibrary([]);
  breakConnection(api.melodies.one);
  await renderPage('/melodies?play=999998');
  await expect.element(page.getByText('The melody could not be loaded.')).toBeVisible();
});

test('the player of a melody without audio passes the accessibility check', async () => {
  await openPlayerByUrl(buildMelody('Without sound', { vimeoUrl: 'https://video.example/1' }));
  await expect
    .element(playerDialog.getByText('The words of this melody have not been added yet.'))
    .toBeVisible();
  await expectAccessibleWithoutOverflow('video only');
});
