import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { setPageUserId } from '#web/api/page-user.ts';
import { listLastPractisedMelodies } from '#features/practice/web/engine/practice-settings.ts';
import { buildStudent, buildTeacher, type MelodyFixture } from '#testing/browser/community.ts';
import { mockEndpoint } from '#testing/browser/fake-api.ts';
import { expectAccessibleWithoutOverflow } from '#testing/browser/expect-accessible.ts';
import {
  buildMelodyWithText,
  getPlaybackState,
  loopLines,
  openPlayerByUrl,
  openPlayer,
  playerDialog,
  pressPlayerButton,
  getLastPlayedElement,
} from '#testing/browser/player.ts';
import { expectCount, expectText, page, pressKeyOn } from '#testing/browser/screen.ts';
// Imported up front, so that it is loaded when the player needs it, however busy the machine is.
import '#features/practice/web/timing/timing-editor.tsx';

const STARTS = [0.5, 2, 3.5, 5];
const aSongOfFourLines = (seconds = 8.4) =>
  buildMelodyWithText({
    melodyText: 'One\nTwo\nThree\nFour',
    timings: STARTS.map((start, line) => ({ line, start })),
    seconds,
  });

const line = (name: string) => page.css('.sung-text li').filter({ hasText: name });
const looping = playerDialog.getByText(/^Lines? [\d–]+ · 0:/);
const isLooping = (lines: string) => expectText(looping, new RegExp(`^${lines} · 0:`));

test('shows a loop’s line numbers only while its points are at line boundaries', async () => {
  const melody = aSongOfFourLines();
  await openPlayer(melody);
  await loopLines(line('Two'), line('Two'));
  await isLooping('Line 2');
  getLastPlayedElement().pause();
  const b = playerDialog.getByRole('slider', { name: 'B point' });
  await pressKeyOn(b, 'ArrowRight');
  await expectCount(looping, 0);
  await pressKeyOn(b, 'ArrowLeft');
  await isLooping('Line 2');
  // The loop is restored when the melody is opened again.
  await openPlayerByUrl(melody);
  await isLooping('Line 2');
  await pressPlayerButton('Set A Point');
  await expectCount(looping, 0);
});

test('a loop of the last line ends with the audio, not at the rounded duration', async () => {
  const melody = aSongOfFourLines(6.9);
  await openPlayer(melody);
  // Loops the line before any audio has loaded, when only the server's duration of 6 seconds is known.
  await loopLines(line('Four'), line('Four'));
  await expect
    .element(playerDialog.getByRole('slider', { name: 'B point' }))
    .toHaveAttribute('aria-valuetext', '6.9 seconds');
  await isLooping('Line 4');
  await expect.poll(() => getPlaybackState().at, { interval: 20 }).toBeGreaterThan(6.05);

  // When the player opens again, the loop is restored before any audio has loaded.
  await openPlayerByUrl(melody, '&line=4');
  await isLooping('Line 4');
  await expect.element(playerDialog.getByRole('slider', { name: 'B point' })).toBeVisible();
  await expect.element(playerDialog.getByRole('button', { name: 'Looping “Four”' })).toBeVisible();
});

test('pressing a line outside the loop plays the line and offers to loop again', async () => {
  await openPlayer(aSongOfFourLines(60));
  await loopLines(line('One'), line('Two'));
  await line('Two').click();
  await expect.element(looping).toBeVisible();
  await line('Four').click();
  await expect.element(line('Four')).toHaveAttribute('aria-current', 'true');
  await expectCount(looping, 0);
  await expect.element(playerDialog.getByText('Loop off.').first()).toBeVisible();
  await expectAccessibleWithoutOverflow('playing, a line lit, the loop let go');
  const again = playerDialog.getByRole('button', { name: 'Loop again' });
  await pressKeyOn(again, 'Enter');
  await isLooping('Lines 1–2');
  await expectCount(again, 0);
  await expect.element(playerDialog.getByRole('button', { name: 'Pause', exact: true })).toHaveFocus();
  await expect.poll(() => getPlaybackState().at).toBeLessThan(3.6);
  expect(getPlaybackState().plays).toBe(true);
  // Seeking in the waveform or by arrow keys stays within the loop.
  await pressKeyOn(playerDialog.getByRole('slider', { name: /^Position/ }), 'End');
  await expect.poll(() => getPlaybackState().at).toBeLessThan(3.6);
  await expect.element(looping).toBeVisible();
});

test('a URL with a time opens the player at that time, even if a loop was stored', async () => {
  const melody = aSongOfFourLines();
  await openPlayer(melody);
  await loopLines(line('One'), line('One'));
  await expect.element(looping).toBeVisible();
  await openPlayerByUrl(melody, '&at=5');
  await expect
    .element(playerDialog.getByRole('slider', { name: /^Position/ }))
    .toHaveAttribute('aria-valuenow', '5');
  await expect.element(playerDialog.getByRole('button', { name: 'Loop again' })).toBeVisible();
});

test('a URL sets the line and speed, but opening it does not count as practice', async () => {
  const melody = aSongOfFourLines(60);
  const user = buildStudent();
  setPageUserId(user.id);
  await openPlayerByUrl(melody, '&line=3&speed=0.75', { user });
  const playButton = playerDialog.getByRole('button', { name: 'Play', exact: true });
  await expect
    .element(playerDialog.getByRole('slider', { name: /^Position/ }))
    .toHaveAttribute('aria-valuenow', '3');
  await expect.element(playButton).toHaveFocus();
  // Opening the player does not count as practising.
  expect(listLastPractisedMelodies()).toEqual([]);
  const before = Date.now();
  await pressPlayerButton('Play');
  await expect
    .poll(() => listLastPractisedMelodies()[0])
    .toMatchObject({ melodyId: melody.id, line: 2, rate: 0.75 });
  expect(getLastPlayedElement().playbackRate).toBe(0.75);
  await expect.poll(() => listLastPractisedMelodies()[0]?.line).toBe(3);
  await pressPlayerButton('Pause');
  expect(listLastPractisedMelodies()).toHaveLength(1);
  expect(listLastPractisedMelodies()[0]!.at).toBeGreaterThanOrEqual(before);
});

test('opening the timing view clears the loop; buttons that get disabled keep focus', async () => {
  const melody = buildMelodyWithText({
    melodyText: 'One\nTwo',
    timings: [
      { line: 0, start: 0.5 },
      { line: 1, start: 2 },
    ],
  });
  mockEndpoint(api.melodies.change, ({ body }) => ({
    ...melody,
    timings: JSON.parse(body['timings'] as string) as MelodyFixture['timings'],
  }));
  await openPlayer(melody, { user: buildTeacher() });
  const button = (name: string | RegExp) =>
    page.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) });
  await loopLines(line('One'), line('One'));
  await isLooping('Line 1');
  await button('Time the lines').click();
  await expectCount(page.getByRole('slider', { name: 'B point' }), 0);
  getLastPlayedElement().pause();

  const staysOn = async (name: string | RegExp) => {
    await expect.element(button(name)).toBeDisabled();
    await expect.element(button(name)).toHaveFocus();
  };
  await pressKeyOn(button('Menu'), 'Enter');
  await pressKeyOn(button('Clear all times'), 'Enter');
  await expect.element(button('Menu')).toHaveFocus();
  await pressKeyOn(button('Undo'), 'Enter');
  await staysOn('Undo');
  // Finds the line by its time, because the melody may have reached this line before it was paused.
  await button(/^0:02\.0 .*Two/).click();
  await pressKeyOn(button('Remove this time'), 'Enter');
  await expect.element(button(/Two/).first()).toHaveFocus();
  await pressKeyOn(button(/^Save times/), 'Enter');
  await expect.element(page.getByText('Timing saved.', { exact: true })).toBeVisible();
  await staysOn(/^Save times/);
  // After the last line, the large button is disabled but keeps focus.
  await button('Menu').click();
  await button('Play just before the next line').click();
  await expect.poll(() => getPlaybackState().at).toBeGreaterThan(1);
  await pressKeyOn(button(/^Tap when line 2 starts/), 'Enter');
  await expect.element(button(/All lines timed/)).toHaveFocus();
  await expect.element(button(/All lines timed/)).toBeDisabled();
});
