import { expect } from 'vitest';
import { aMelody, library, type Me, type Melody, soundOf } from './community.ts';
import { renderPage } from './render-page.tsx';
// So that it is there when a page asks for it, however busy the machine is.
import '#features/practice/web/player-overlay.tsx';
import type { Locator } from 'vitest/browser';
import { page, press } from './screen.ts';

let played: HTMLMediaElement | null = null;
const begun = new Set<HTMLMediaElement>();
const { play } = HTMLMediaElement.prototype;
HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
  // oxlint-disable-next-line typescript/no-this-alias -- which one it is, only a call of its method tells
  played = this;
  begun.add(this);
  return play.call(this);
};

/** What was begun to play last: it is on no page. */
export const sound = () => {
  if (!played) throw new Error('Nothing has played yet');
  return played;
};

/** All that sounds at this moment. */
export const sounding = () => [...begun].filter(({ paused }) => !paused);

/** Where the melody is, in seconds, and whether it plays. */
export const heard = () => ({ at: played?.currentTime ?? 0, plays: played !== null && !played.paused });

/** A melody of a sine with words, and the seconds at which their lines begin. */
export const aSong = ({ seconds = 20, ...given }: Partial<Melody> & { seconds?: number } = {}) =>
  aMelody('Song', {
    melodyText: 'namo',
    audioUrl: soundOf(seconds),
    duration: Math.floor(seconds),
    ...given,
  });

export const player = page.getByRole('dialog');

/** Opens the player of a melody from its card. */
export async function openPlayer(melody: Melody, options: { user?: Me } = {}) {
  played = null;
  library([melody]);
  await renderPage('/melodies', options);
  await page.getByRole('button', { name: `Advanced Player of ${melody.title}` }).click();
  await expect.element(player.getByRole('button', { name: 'Close', exact: true })).toBeVisible();
  await expect.element(player.getByRole('button', { name: 'Play', exact: true })).toHaveFocus();
}

/** Opens the player of a melody by its address, as on another day. */
export async function openAgain(melody: Melody, query = '', options: { user?: Me } = {}) {
  played = null;
  library([melody]);
  await renderPage(`/melodies?play=${melody.id}${query}`, options);
}

export const pressIn = (name: string | RegExp) =>
  player.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }).click();

/** Opens the settings above the controls, where they are not open. */
export async function openSettings(which: 'Speed and volume' | 'Repeats and your turn') {
  await player.getByRole('button', { name: new RegExp(`^${which}`) }).click();
  await expect.element(player.getByRole('group', { name: which, exact: true })).toBeVisible();
}

/** Loops from one line to another, each found by what it says. */
export async function loopLines(from: Locator, to: Locator) {
  await pressIn('Lines');
  await pressIn('Loop lines');
  await from.click();
  await to.click();
}

/** The words of a line lie over its button: by keyboard. */
export const pressLine = (name: string | RegExp) =>
  press(player.getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) }), 'Enter');
