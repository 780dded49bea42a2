import type { Scope } from '../api/scope.ts';

/** What the page uses sound for (the Audio Session API, which Safari has; TypeScript's DOM library leaves it out). */
export type AudioSession = { type: 'auto' | 'playback' | 'play-and-record' };

/** How many recordings use each. */
const recordings = new WeakMap<AudioSession, number>();

export const browserAudioSession = (): AudioSession | undefined =>
  (globalThis.navigator as { audioSession?: AudioSession }).audioSession;

/**
 * Says that the page records until the scope ends, and that it plays from then on. An iPhone otherwise goes on playing
 * as in a phone call: softly, and from the earpiece. Call it before the microphone is asked for, in the scope that ends
 * it: the microphone has to be let go first.
 */
export function recordUntilEnd(session: AudioSession | undefined, scope: Scope): void {
  if (!session) return;
  const count = (change: number) => {
    const next = (recordings.get(session) ?? 0) + change;
    recordings.set(session, next);
    session.type = next > 0 ? 'play-and-record' : 'playback';
  };
  count(1);
  scope.own(() => count(-1));
}
