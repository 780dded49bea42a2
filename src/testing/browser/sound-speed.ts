import { beforeEach } from 'vitest';

// Importing this plays every sound sixteen times as fast, except the one set by `slowDownSound`.

const QUICK = 16;
const SLOW = 1 / 16;

let played = new Set<HTMLMediaElement>();
let heard: { file: string; at: number }[] = [];
let slowFile: string | null = null;

beforeEach(() => {
  played = new Set();
  heard = [];
  slowFile = null;
});

const { play } = HTMLMediaElement.prototype;
HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
  played.add(this);
  heard.push({ file: getFileName(this), at: Math.round(this.currentTime) });
  // Set before playing, and never from slow to quick: a sound that speeds up from slow may stall.
  this.playbackRate = getFileName(this) === slowFile ? SLOW : QUICK;
  return play.call(this);
};

const getFileName = ({ src }: HTMLMediaElement) => new URL(src).pathname.split('/').at(-1)!;

/** Makes this file play so slowly from its next start that it does not end while a test looks at it. */
export function slowDownSound(file: string | null) {
  slowFile = file;
}

/** Returns each played file and the second at which playback started, in order. */
export const getPlayedSounds = () => heard;

/** Returns the names of the files playing now. */
export const getPlayingFiles = () => [...played].filter(({ paused }) => !paused).map(getFileName);

/** Returns the position of each sound played, in whole seconds, ascending. */
export const getPlayedPositions = () =>
  [...played].map(({ currentTime }) => Math.round(currentTime)).toSorted((a, b) => a - b);
