import { useState, useSyncExternalStore } from 'react';
import { createRecorder } from '../../audio/recorder.ts';
import type { Recorder, RecorderOptions, RecorderSnapshot, StartOptions } from '../../audio/recorder.ts';

export type UsedRecorder = RecorderSnapshot & Pick<Recorder, 'start' | 'pause' | 'resume' | 'stop' | 'reset'>;

/**
 * A recorder that lives as long as the component: what it shows, and what one can do. Leaving the page lets
 * go of the microphone. The options are read once, at the first render.
 */
export function useRecorder(options: RecorderOptions = {}): UsedRecorder {
  const [owner] = useState(() => ownRecorder(options));
  const snapshot = useSyncExternalStore(owner.subscribe, owner.getSnapshot, owner.getSnapshot);
  return { ...snapshot, ...owner.methods };
}

/**
 * Ends its recorder with the subscription, and makes another with the next one: React may unsubscribe a
 * component that stays (in StrictMode always, once), and a destroyed recorder never starts again.
 */
function ownRecorder(options: RecorderOptions) {
  let recorder = createRecorder(options);
  let destroyed = false;

  return {
    subscribe: (listener: () => void) => {
      if (destroyed) recorder = createRecorder(options);
      destroyed = false;
      recorder.subscribe(listener);
      return () => {
        recorder.destroy();
        destroyed = true;
      };
    },
    getSnapshot: () => recorder.getSnapshot(),
    methods: {
      start: (how?: StartOptions) => recorder.start(how),
      pause: () => recorder.pause(),
      resume: () => recorder.resume(),
      stop: () => recorder.stop(),
      reset: () => recorder.reset(),
    },
  };
}
