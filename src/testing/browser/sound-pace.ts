import { beforeEach } from 'vitest';

// Sounds at the pace of a test: importing this makes every sound play sixteen times as fast, except the one that lingers.

const QUICK = 16;
const SLOW = 1 / 16;

let played = new Set<HTMLMediaElement>();
let heard: { file: string; at: number }[] = [];
let lingering: string | null = null;

beforeEach(() => {
  played = new Set();
  heard = [];
  lingering = null;
});

const { play } = HTMLMediaElement.prototype;
HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
  played.add(this);
  heard.push({ file: fileOf(this), at: Math.round(this.currentTime) });
  // Before it plays, and never quickly after slowly: a sound that is slow and then sixteen times as fast may stall.
  this.playbackRate = fileOf(this) === lingering ? SLOW : QUICK;
  return play.call(this);
};

const fileOf = ({ src }: HTMLMediaElement) => new URL(src).pathname.split('/').at(-1)!;

/** When it is played next, this file plays so slowly that it does not end while a test looks at it. */
export function lingerOn(file: string | null) {
  lingering = file;
}

/** What was played, in order: each file, and the second at which it began. */
export const heardSounds = () => heard;

/** Names of the files that play now. */
export const playingFiles = () => [...played].filter(({ paused }) => !paused).map(fileOf);

/** Where each sound that was played is, in whole seconds, from the lowest to the highest. */
export const playedUntil = () =>
  [...played].map(({ currentTime }) => Math.round(currentTime)).toSorted((a, b) => a - b);
