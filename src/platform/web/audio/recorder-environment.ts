// Vite makes one classic script of the worklet and what it imports, at an address of our own, in the build
// and (as a module) in development. A plain `new URL('…', import.meta.url)` would ship the TypeScript as it is,
// and what is small as a `data:` address, which the content security policy refuses.
import workletUrl from './capture.worklet.ts?worker&url';

/** What a recorder needs of the browser; what the browser lacks is `undefined`. Tests bring their own. */
export type RecorderEnvironment = {
  isSecureContext: boolean;
  mediaDevices: Pick<MediaDevices, 'getUserMedia'> | undefined;
  AudioContext: (new (options?: AudioContextOptions) => AudioContext) | undefined;
  AudioWorkletNode:
    | (new (context: BaseAudioContext, name: string, options?: AudioWorkletNodeOptions) => AudioWorkletNode)
    | undefined;
  wakeLock: Pick<WakeLock, 'request'> | undefined;
  document: EventTarget & Pick<Document, 'visibilityState'>;
  workletUrl: string;
};

export function browserEnvironment(): RecorderEnvironment {
  // The DOM library promises all of these; an insecure page, a telephone's built-in view or an old browser does not.
  const present: Partial<typeof globalThis> = globalThis;
  const navigator: Partial<Navigator> = globalThis.navigator;
  return {
    isSecureContext: globalThis.isSecureContext,
    mediaDevices: navigator.mediaDevices,
    AudioContext: present.AudioContext,
    AudioWorkletNode: present.AudioWorkletNode,
    wakeLock: navigator.wakeLock,
    document: globalThis.document,
    workletUrl,
  };
}
