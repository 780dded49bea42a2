import type { StartOptions } from '#web/audio/recorder.ts';
import { readLocal, writeLocal } from '#web/device/local-storage.ts';
import { createStore } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';

/** Recording preferences, stored on this device. */
export type RecorderSettings = {
  /** Echo cancellation, noise suppression and gain control. */
  readonly processing: boolean;
  /** Counts 3, 2, 1 before recording. */
  readonly countsIn: boolean;
};

const COUNT_IN_SECONDS = 3;

const KEYS = { processing: 'recorder voice-processing', countsIn: 'recorder count-in' } as const;

/** Both are off until the user turns them on. */
const settings = createStore<RecorderSettings>({ processing: false, countsIn: false });
settings.set({
  processing: readLocal(KEYS.processing) === 'on',
  countsIn: readLocal(KEYS.countsIn) === 'on',
});

export const useRecorderSettings = () => useStore(settings);

export const recorderSettings = settings.get;

export function startOptions(): StartOptions {
  const { processing, countsIn } = recorderSettings();
  return { processing, countIn: countsIn ? COUNT_IN_SECONDS : 0 };
}

/** Changes settings for this visit and later ones. */
export function chooseRecorderSettings(chosen: Partial<RecorderSettings>) {
  settings.set({ ...settings.get(), ...chosen });
  const { processing, countsIn } = settings.get();
  writeLocal(KEYS.processing, processing ? 'on' : null);
  writeLocal(KEYS.countsIn, countsIn ? 'on' : null);
}
