import { exclusivePlayback, type PlayableMedia } from '#web/audio/exclusive-playback.ts';
import { type AudioFileStatus, checkAudioFile } from './check-audio-file.ts';

/** The part of an `<audio>` element that the player uses. */
export type PlayerAudio = EventTarget &
  Pick<
    HTMLMediaElement,
    | 'src'
    | 'currentTime'
    | 'duration'
    | 'paused'
    | 'ended'
    | 'seeking'
    | 'readyState'
    | 'error'
    | 'volume'
    | 'playbackRate'
    | 'defaultPlaybackRate'
    | 'preservesPitch'
    | 'play'
    | 'pause'
    | 'load'
    | 'removeAttribute'
  >;

/** A clock in milliseconds with timers. `after` returns a function that cancels its timer. */
export type PlayerClock = { now(): number; after(milliseconds: number, action: () => void): () => void };

/** The browser features that the player needs. Tests pass fakes. */
export type PlayerEnvironment = {
  clock: PlayerClock;
  /** Fires 'online' when the connection is back. */
  connection: EventTarget;
  /** Checks whether the file is available. */
  checkFile(address: string): Promise<AudioFileStatus>;
  exclusivePlayback: { add(player: PlayableMedia): () => void; pauseAll(): void };
};

export const browserClock: PlayerClock = {
  now: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    return () => clearTimeout(timer);
  },
};

export const createBrowserEnvironment = (): PlayerEnvironment => ({
  clock: browserClock,
  connection: window,
  checkFile: checkAudioFile,
  exclusivePlayback,
});
