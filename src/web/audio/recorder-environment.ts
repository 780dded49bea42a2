// Vite bundles the worklet and its imports into one classic script (in development, a module) at a URL on our
// own origin. A plain `new URL('…', import.meta.url)` would ship the raw TypeScript, and would inline small
// files as `data:` URLs, which the content security policy blocks.
import { type AudioSession, getBrowserAudioSession } from './audio-session.ts';
import workletUrl from './capture.worklet.ts?worker&url';

/** The browser APIs that a recorder needs; missing ones are `undefined`. Tests pass fakes. */
export type RecorderEnvironment = {
  isSecureContext: boolean;
  mediaDevices: Pick<MediaDevices, 'getUserMedia'> | undefined;
  AudioContext: (new (options?: AudioContextOptions) => AudioContext) | undefined;
  AudioWorkletNode:
    | (new (context: BaseAudioContext, name: string, options?: AudioWorkletNodeOptions) => AudioWorkletNode)
    | undefined;
  audioSession: AudioSession | undefined;
  wakeLock: Pick<WakeLock, 'request'> | undefined;
  document: EventTarget & Pick<Document, 'visibilityState'>;
  workletUrl: string;
};

export function getRecorderEnvironment(): RecorderEnvironment {
  // Makes the globals optional. The DOM types declare all of them, but insecure pages, in-app browsers on
  // phones and old browsers lack some.
  const present: Partial<typeof globalThis> = globalThis;
  const navigator: Partial<Navigator> = globalThis.navigator;
  return {
    isSecureContext: globalThis.isSecureContext,
    mediaDevices: navigator.mediaDevices,
    AudioContext: present.AudioContext,
    AudioWorkletNode: present.AudioWorkletNode,
    audioSession: getBrowserAudioSession(),
    wakeLock: navigator.wakeLock,
    document: globalThis.document,
    workletUrl,
  };
}
