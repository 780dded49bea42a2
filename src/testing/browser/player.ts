import { expect } from 'vitest';
import {
  buildMelody,
  mockLibrary,
  type MeFixture,
  type MelodyFixture,
  getToneFileName,
} from './community.ts';
import { renderPage } from './render-page.tsx';
// Loads the player's code early, so that the player opens without delay even on a busy machine.
import '#features/practice/web/player-overlay.tsx';
import type { Locator } from 'vitest/browser';
import { page, pressKeyOn } from './screen.ts';

let played: HTMLMediaElement | null = null;
const begun = new Set<HTMLMediaElement>();
const { play } = HTMLMediaElement.prototype;
HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
  // oxlint-disable-next-line typescript/no-this-alias -- only a call of its own method reveals which element plays
  played = this;
  begun.add(this);
  return play.call(this);
};

/** Returns the audio element that was started last, even if it is no longer in the document. */
export const getLastPlayedElement = () => {
  if (!played) throw new Error('Nothing has played yet');
  return played;
};

/** Returns all elements that play at this moment. */
export const getPlayingElements = () => [...begun].filter(({ paused }) => !paused);

/** Returns the melody's position, in seconds, and whether it is playing. */
export const getPlaybackState = () => ({
  at: played?.currentTime ?? 0,
  plays: played !== null && !played.paused,
});

/** Builds a melody with words. Its audio is a sine tone. */
export const buildMelodyWithText = ({
  seconds = 20,
  ...given
}: Partial<MelodyFixture> & { seconds?: number } = {}) =>
  buildMelody('Song', {
    melodyText: 'namo',
    audioUrl: getToneFileName(seconds),
    duration: Math.floor(seconds),
    ...given,
  });

export const playerDialog = page.getByRole('dialog');

/** Opens the player of a melody from its card. */
export async function openPlayer(melody: MelodyFixture, options: { user?: MeFixture } = {}) {
  played = null;
  mockLibrary([melody]);
  await renderPage('/melodies', options);
  await page.getByRole('button', { name: `Advanced Player: ${melody.title}` }).click();
  await expect.element(playerDialog.getByRole('button', { name: 'Close', exact: true })).toBeVisible();
  await expect.element(playerDialog.getByRole('button', { name: 'Play', exact: true })).toHaveFocus();
}

/** Opens the player of a melody by its URL, as a bookmark does. */
export async function openPlayerByUrl(melody: MelodyFixture, query = '', options: { user?: MeFixture } = {}) {
  played = null;
  mockLibrary([melody]);
  await renderPage(`/melodies?play=${melody.id}${query}`, options);
}

export const pressPlayerButton = (name: string | RegExp) =>
  playerDialog.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).click();

/** Opens a group of settings above the controls. */
export async function openPlayerSettings(which: 'Speed and volume' | 'Repeats and pauses') {
  await playerDialog.getByRole('button', { name: new RegExp(`^${which}`) }).click();
  await expect.element(playerDialog.getByRole('group', { name: which, exact: true })).toBeVisible();
}

export async function loopLines(from: Locator, to: Locator) {
  await pressPlayerButton('Lines');
  await pressPlayerButton('Loop several lines');
  await from.click();
  await to.click();
}

/** Presses a line by keyboard, because its words cover its button. */
export const pressLine = (name: string | RegExp) =>
  pressKeyOn(
    playerDialog.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }),
    'Enter',
  );
