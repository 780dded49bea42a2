import { expect, test } from 'vitest';
import { api } from '#app/api.ts';
import { buildMelody, buildTeacher, mockLibrary } from '#testing/browser/community.ts';
import {
  breakConnection,
  getCalls,
  setFileState,
  holdResponses,
  rejectCalls,
} from '#testing/browser/fake-api.ts';
import {
  buildMelodyWithText,
  getPlaybackState,
  openPlayerByUrl,
  openPlayer,
  openPlayerSettings,
  playerDialog,
  pressPlayerButton,
  getLastPlayedElement,
} from '#testing/browser/player.ts';
import { renderPage } from '#testing/browser/render-page.tsx';
import { expectUrl, expectCount, expectText, page, pressKeyOn, userEvent } from '#testing/browser/screen.ts';

const UNAVAILABLE =
  /^Audio Not Available: This audio file cannot be loaded\. It may have been uploaded in a different environment\.$/;
const TEXT = 'Sangye chö dang\nJangchub bardu';
const timings = [
  { line: 0, start: 1 },
  { line: 1, start: 3 },
];
const card = page.getByRole('button', { name: 'Advanced Player: Song' });
const playButton = playerDialog.getByRole('button', { name: 'Play', exact: true });
const position = playerDialog.getByRole('slider', { name: /^Position/ });
const a = playerDialog.getByRole('slider', { name: 'A point' });
const b = playerDialog.getByRole('slider', { name: 'B point' });
const isGone = page.getByText('This melody isn’t available to you.');

async function expectToMove() {
  await expect.poll(() => getPlaybackState().plays).toBe(true);
  const { at } = getPlaybackState();
  await expect.poll(() => getPlaybackState().at).toBeGreaterThan(at);
}

/** Sets a loop from 5 to 10 seconds. */
async function makeLoop() {
  await pressKeyOn(position, 'Home');
  await pressKeyOn(position, 'ArrowRight');
  await pressPlayerButton('Set A Point');
  await pressKeyOn(position, 'ArrowRight');
  await pressPlayerButton('Set B Point');
  await expect.element(b).toHaveAttribute('aria-valuetext', '10 seconds');
}

test('going back closes and stops the player, and the player’s URL opens it again', async () => {
  const melody = buildMelodyWithText();
  await openPlayer(melody);
  await pressPlayerButton('Play');
  await expectToMove();
  history.back();
  await expectCount(playerDialog, 0);
  await expectUrl(/^\/melodies$/);
  expect([getLastPlayedElement().paused, getLastPlayedElement().hasAttribute('src')]).toEqual([true, false]);

  await openPlayerByUrl(melody);
  await pressPlayerButton('Close');
  await expectCount(playerDialog, 0);
  await expect.element(card).toHaveFocus();
});

test('a dragged loop handle never passes the other handle', async () => {
  await openPlayer(buildMelodyWithText());
  await makeLoop();
  const valueOf = (point: typeof a) => Number(point.element().getAttribute('aria-valuenow'));
  const drag = async (point: typeof a, fraction: number) => {
    const from = point.element().getBoundingClientRect();
    const whole = position.element().getBoundingClientRect();
    const y = from.y + 5;
    await userEvent.pointer([
      { coords: { x: from.x + from.width / 2, y }, keys: '[MouseLeft>]' },
      ...[0.6, 0.7, fraction].map((share) => ({ coords: { x: whole.x + whole.width * share, y } })),
      { keys: '[/MouseLeft]' },
    ]);
  };
  await drag(b, 0.75);
  await expect.poll(() => valueOf(b)).toBeGreaterThan(14.5);
  expect(valueOf(b)).toBeLessThan(15.5);
  await drag(a, 0.99);
  await expect.poll(() => valueOf(a)).toBeGreaterThan(14);
  expect(valueOf(b) - valueOf(a)).toBeGreaterThan(0);
  expect(valueOf(b) - valueOf(a)).toBeLessThan(0.25);
});

test('the student’s turn follows the passage until the chosen repeats are done', async () => {
  await openPlayer(buildMelodyWithText());
  await makeLoop();
  await openPlayerSettings('Repeats and pauses');
  await playerDialog.getByLabelText('Repeat', { exact: true }).selectOptions('once');
  await playerDialog.getByLabelText('Pause for you to sing', { exact: true }).selectOptions('1');
  await pressPlayerButton('Close repeats and pauses');
  await pressPlayerButton('Play');
  await pressKeyOn(position, 'End');
  await expect.element(playerDialog.getByText('Your turn · ')).toBeVisible();
  expect(getPlaybackState().plays).toBe(false);
  await expect.element(playerDialog.getByText('Loop · done')).toBeVisible();
  await expect.element(playButton).toBeVisible();
});

test('revoking a level ends playback with a message', async () => {
  // This audio is so long that the browser does not fetch all of it in advance.
  const name = 'tone-600.wav';
  await openPlayer(buildMelodyWithText({ audioUrl: name, duration: 600 }));
  await pressPlayerButton('Play');
  await expectToMove();
  await setFileState(name, 'gone');
  // Seeks beyond the audio that is already loaded and may still play. Requests for the rest are rejected.
  await pressKeyOn(position, 'End');
  await pressKeyOn(position, 'PageDown');
  await expectText(playerDialog.getByRole('alert'), UNAVAILABLE);
  await expect.element(playButton).toBeDisabled();
});

test('a lost connection is reported, and playback resumes after a retry', async () => {
  await setFileState('lost.wav', 'broken');
  await openPlayer(buildMelodyWithText({ audioUrl: 'lost.wav', duration: 3 }));
  await pressPlayerButton('Play');
  await expectText(playerDialog.getByRole('alert'), 'The connection was lost.');
  await setFileState('lost.wav', 'there');
  await pressPlayerButton('Try again');
  await expectToMove();
  await expectCount(playerDialog.getByText('The connection was lost.'), 0);
});

test('a student can go from the player to the recorder and back', async () => {
  const melody = buildMelodyWithText({ melodyText: TEXT });
  await openPlayerByUrl(melody);
  await pressPlayerButton('Sing');
  await playerDialog.getByRole('link', { name: 'Send to Khandro-la' }).click();
  await expect.element(page.getByLabelText('Melody').first()).toHaveValue(String(melody.id));
  await expect.element(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Song');
  await expect.element(page.getByText('Sangye chö dang')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the player' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Song' })).toBeVisible();

  await openPlayer(melody, { user: buildTeacher() });
  await expectCount(playerDialog.getByRole('button', { name: 'Sing', exact: true }), 0);
});

test('after a server error, words and audio stay and the details can be loaded again', async () => {
  const nothingMore = playerDialog.getByText('Couldn’t load the waveform and the line times.');
  const tryAgain = playerDialog.getByRole('button', { name: 'Try again' });
  const melody = buildMelodyWithText({ melodyText: TEXT, timings, seconds: 60 });
  mockLibrary([melody]);
  rejectCalls(api.melodies.one, 500, { message: 'Something went wrong' });
  const letGoFirst = holdResponses(api.melodies.one);
  await renderPage('/melodies');
  await card.click();
  await pressPlayerButton('Play');
  await expectToMove();
  letGoFirst();
  await expect.element(nothingMore).toBeVisible();
  await expect.element(playerDialog.getByText('Sangye chö dang')).toBeVisible();
  await expectToMove();

  // The retry fails too, so the message stays and the button is enabled again.
  const release = holdResponses(api.melodies.one);
  await tryAgain.click();
  await expect.element(tryAgain).toBeDisabled();
  release();
  await expect.element(tryAgain).toBeEnabled();
  await expect.element(nothingMore).toBeVisible();
  mockLibrary([melody]);
  await tryAgain.click();
  await expect.element(playerDialog.getByRole('button', { name: /Play from “Sangye/ })).toBeVisible();
  await expectCount(nothingMore, 0);
  expect(getPlaybackState().plays).toBe(true);
  // The pressed button is gone, but the keys still work.
  await userEvent.keyboard('{Escape}');
  await expectCount(playerDialog, 0);
});

test('if fetching a melody’s words fails, “Try again” fetches them again', async () => {
  const sung = buildMelodyWithText({ melodyText: TEXT, timings });
  const silent = buildMelody('Spoken', { melodyText: 'Jangchub bardu' });
  mockLibrary([sung, silent, buildMelody('Long', { melodyText: 'om '.repeat(70_000) })]);
  const failure = playerDialog.getByText('The words could not be loaded.');
  for (const [name, words] of [
    ['Song', 'Sangye chö dang'],
    ['Spoken', 'Jangchub bardu'],
  ] as const) {
    await renderPage('/melodies');
    const comesBack = breakConnection(api.melodies.one);
    await page.getByRole('button', { name: `Advanced Player: ${name}` }).click();
    await expect.element(failure).toBeVisible();
    comesBack();
    await playerDialog.getByRole('button', { name: 'Try again' }).click();
    await expect.element(playerDialog.getByText(words)).toBeVisible();
    await expectCount(failure, 0);
    await userEvent.keyboard('{Escape}');
    await expectCount(playerDialog, 0);
  }
  expect(getCalls(api.melodies.list).every(({ query }) => query['view'] === 'card')).toBe(true);
});

test('the player stops showing a melody that is no longer available', async () => {
  mockLibrary([buildMelodyWithText({ melodyText: TEXT, timings })]);
  rejectCalls(api.melodies.one, 404, { message: 'This melody no longer exists' });
  await renderPage('/melodies');
  await card.click();
  await expect.element(isGone).toBeVisible();
  await expectCount(playerDialog.getByText('Sangye chö dang'), 0);
});
