import type { Scope } from '../api/scope.ts';

/** How the page uses sound (the Audio Session API, which Safari has; it is missing from TypeScript's DOM library). */
export type AudioSession = { type: 'auto' | 'playback' | 'play-and-record' };

/** How many recordings use each session. */
const recordings = new WeakMap<AudioSession, number>();

export const getBrowserAudioSession = (): AudioSession | undefined =>
  (globalThis.navigator as { audioSession?: AudioSession }).audioSession;

/**
 * Sets the page's session to recording until the scope ends, and to playback from then on. Otherwise an iPhone keeps
 * playing as in a phone call: quietly, and from the earpiece. Call it before the microphone is requested, in the
 * scope that ends it, because the microphone must be released first.
 */
export function setRecordingUntilEnd(session: AudioSession | undefined, scope: Scope): void {
  if (!session) return;
  const count = (change: number) => {
    const next = (recordings.get(session) ?? 0) + change;
    recordings.set(session, next);
    session.type = next > 0 ? 'play-and-record' : 'playback';
  };
  count(1);
  scope.own(() => count(-1));
}
