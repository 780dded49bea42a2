import type { ResourceScope } from '../api/resource-scope.ts';

/**
 * The page's audio session (Audio Session API), which determines how the page uses audio. Safari supports it,
 * but TypeScript's DOM library lacks it.
 */
export type AudioSession = { type: 'auto' | 'playback' | 'play-and-record' };

/** Number of recordings that use each session. */
const recordings = new WeakMap<AudioSession, number>();

export const getBrowserAudioSession = (): AudioSession | undefined =>
  (globalThis.navigator as { audioSession?: AudioSession }).audioSession;

/**
 * Sets the page's audio session to recording until the scope ends, then to playback unless another recording
 * still uses it. Without the reset, an iPhone would keep playing as in a phone call: quietly, and from the
 * earpiece. Call it before the microphone is requested, with the scope that will own the microphone: scopes
 * release in reverse order, and the microphone must be released before the session is reset.
 */
export function setPlayAndRecordUntilEnd(session: AudioSession | undefined, scope: ResourceScope): void {
  if (!session) return;
  const count = (change: number) => {
    const next = (recordings.get(session) ?? 0) + change;
    recordings.set(session, next);
    session.type = next > 0 ? 'play-and-record' : 'playback';
  };
  count(1);
  scope.own(() => count(-1));
}
