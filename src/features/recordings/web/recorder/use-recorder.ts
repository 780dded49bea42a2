import { useEffect, useState } from 'react';
import type { Recorder, RecorderSnapshot } from '#web/audio/recorder.ts';
import { useStore } from '#web/use-store.ts';
import { createStoringRecorder, type StoringRecorderHandlers } from './storing-recorder.ts';

export type RecorderHandle = RecorderSnapshot &
  Pick<Recorder, 'start' | 'pause' | 'resume' | 'stop' | 'reset'>;

/** Creates a recorder that lives as long as the component, and returns its state and actions. */
export function useRecorder(handlers: StoringRecorderHandlers): RecorderHandle {
  const [recorder] = useState(() => createStoringRecorder());
  // Sets the handlers before the subscription, which may call a handler immediately.
  useEffect(() => recorder.setHandlers(handlers));
  const snapshot = useStore(recorder);
  const { start, pause, resume, stop, reset } = recorder;
  return { ...snapshot, start, pause, resume, stop, reset };
}
