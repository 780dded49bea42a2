import { useEffect, useState } from 'react';
import type { Recorder, RecorderSnapshot } from '#web/audio/recorder.ts';
import { useStore } from '#web/use-store.ts';
import { createKeptRecorder, type KeptRecorderHandlers } from './kept-recorder.ts';

export type UsedRecorder = RecorderSnapshot & Pick<Recorder, 'start' | 'pause' | 'resume' | 'stop' | 'reset'>;

/** Creates a recorder that lives as long as the component, and returns its state and actions. */
export function useRecorder(handlers: KeptRecorderHandlers): UsedRecorder {
  const [recorder] = useState(() => createKeptRecorder());
  // Before the subscription, which may call a handler at once.
  useEffect(() => recorder.use(handlers));
  const snapshot = useStore(recorder);
  const { start, pause, resume, stop, reset } = recorder;
  return { ...snapshot, start, pause, resume, stop, reset };
}
