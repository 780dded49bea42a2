import { beforeEach } from 'vitest';

// Importing this module makes all audio play sixteen times as fast, except the file set by `slowDownSound`.

const QUICK = 16;
const SLOW = 1 / 16;

let played = new Set<HTMLMediaElement>();
let playbackStarts: { file: string; at: number }[] = [];
let slowFile: string | null = null;

beforeEach(() => {
  played = new Set();
  playbackStarts = [];
  slowFile = null;
});

const { play } = HTMLMediaElement.prototype;
HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
  played.add(this);
  playbackStarts.push({ file: getFileName(this), at: Math.round(this.currentTime) });
  // Sets the speed before playback and never raises it during playback, because audio that speeds up may
  // stall.
  this.playbackRate = getFileName(this) === slowFile ? SLOW : QUICK;
  return play.call(this);
};

const getFileName = ({ src }: HTMLMediaElement) => new URL(src).pathname.split('/').at(-1)!;

/**
 * Sets the file that plays very slowly from its next start, so that it does not end while a test checks it;
 * null for no file.
 */
export function slowDownSound(file: string | null) {
  slowFile = file;
}

/** Returns each played file and the position in seconds from which it played, in order. */
export const getPlaybackStarts = () => playbackStarts;

/** Returns the names of the files playing now. */
export const getPlayingFileNames = () => [...played].filter(({ paused }) => !paused).map(getFileName);

/** Returns the current positions of all audio elements that have played, in whole seconds, ascending. */
export const getPlaybackPositions = () =>
  [...played].map(({ currentTime }) => Math.round(currentTime)).toSorted((a, b) => a - b);
