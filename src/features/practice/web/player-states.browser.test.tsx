import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildMelody, serveLibrary, type Melody } from '#testing/browser/community.ts';
import { breakConnection, setFileState } from '#testing/browser/fake-api.ts';
import { expectAccessibleAndFitting } from '#testing/browser/expect-accessible.ts';
import {
  buildSong,
  openPlayerByAddress,
  openPlayer,
  player,
  pressInPlayer,
  pressLine,
} from '#testing/browser/player.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { page, press } from '#testing/browser/screen.ts';

const LONG = 'Lhündrup-Wangchuk-Tenzin-Gyaltsen-Rinchen-Dorje-Palden-Sangmo';
const TEXT =
  'bo: སངས་རྒྱས་ཆོས་དང་ཚོགས།\nSangye chö dang tsok\nen: In the Buddha\n\nJangchub bardu\n\nDak gi jin sok';
const STARTS = [0, 1.5, 3];
const timings = [0, 4, 6].map((line, i) => ({ line, start: STARTS[i]! }));
const aTimedSong = (given: Partial<Melody> = {}) =>
  buildSong({ melodyText: TEXT, timings, seconds: 60, ...given });

test('the player, its settings and the student’s turn are accessible', async () => {
  await page.viewport(320, 640);
  await openPlayerByAddress({ ...aTimedSong(), title: LONG.repeat(3) });
  await expect.element(player.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
  await expectAccessibleAndFitting('no loop');
  await pressInPlayer('Sing');
  await expectAccessibleAndFitting('ways to record');
  await pressInPlayer('Close ways to record');
  await pressInPlayer('Menu');
  await pressInPlayer('Speed and volume');
  await expectAccessibleAndFitting('speed');
  await pressInPlayer('Close speed and volume');
  await pressInPlayer('Menu');
  await pressInPlayer('Repeats and pauses');
  await player.getByLabelText('Pause for you to sing', { exact: true }).selectOptions('2');
  await pressInPlayer('Close repeats and pauses');

  // Loops the last line, so that the turn lasts two minutes.
  await press(player.getByRole('button', { name: /^Play from “Dak gi/ }), 'l');
  await press(player.getByRole('slider', { name: /^Position/ }), 'End');
  await expect.element(player.getByText('Your turn · ')).toBeVisible();
  await expectAccessibleAndFitting('a loop, your turn');
});

test('the menu and repeats settings are accessible if seeking is only approximate', async () => {
  await openPlayer(aTimedSong({ seeksExactly: false }));
  await pressLine(/^Play from “Dak gi/);
  await expect.element(page.css('.sung-text [aria-current]')).toBeVisible();
  await page.viewport(320, 640);
  await pressInPlayer('Menu');
  await expectAccessibleAndFitting('the menu');
  await pressInPlayer('Repeats and pauses');
  await expect.element(player.getByText(/^With this file, loops and line times can be off/)).toBeVisible();
  await player.getByLabelText('Repeat', { exact: true }).selectOptions('another number…');
  await player.getByLabelText('Number of times').fill('0');
  await expectAccessibleAndFitting('approximate loops, a number that cannot be');
});

test('reports a slow connection, a damaged file and a melody that failed to load', async () => {
  const melody = aTimedSong({ audioUrl: 'far-away.wav' });
  await setFileState('far-away.wav', 'silent');
  await openPlayer(melody);
  await pressInPlayer('Play');
  await expect.element(player.getByText('The connection is slow.').first()).toBeVisible();
  await expect
    .element(player.getByRole('button', { name: 'Pause', exact: true }))
    .toHaveAttribute('aria-busy', 'true');

  await setFileState('far-away.wav', 'damaged');
  await openPlayerByAddress(melody);
  await pressInPlayer('Play');
  await expect.element(player.getByText(/^This melody’s audio file is damaged/)).toBeVisible();
  await expect.element(player.getByRole('button', { name: 'Play', exact: true })).toBeDisabled();
  await expectAccessibleAndFitting('damaged');

  serveLibrary([]);
  breakConnection(api.melodies.one);
  await renderPage('/melodies?play=999998');
  await expect.element(page.getByText('The melody could not be loaded.')).toBeVisible();
});

test('a melody without audio is accessible', async () => {
  await openPlayerByAddress(buildMelody('Without sound', { vimeoUrl: 'https://video.example/1' }));
  await expect.element(player.getByText('The words of this melody have not been added yet.')).toBeVisible();
  await expectAccessibleAndFitting('video only');
});
