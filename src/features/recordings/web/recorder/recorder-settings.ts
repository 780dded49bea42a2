import type { RecorderStartOptions } from '#web/audio/recorder.ts';
import { readLocalStorage, writeLocalStorage } from '#web/device/local-storage.ts';
import { createStore } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';

/** Recording preferences, stored on this device. */
export type RecorderSettings = {
  /** Whether echo cancellation, noise suppression and automatic gain control are on. */
  readonly processing: boolean;
  /** Whether the recorder counts 3, 2, 1 before recording. */
  readonly countsIn: boolean;
};

const COUNT_IN_SECONDS = 3;

const STORAGE_KEYS = { processing: 'recorder voice-processing', countsIn: 'recorder count-in' } as const;

/** Both settings are off until the user turns them on. */
const settings = createStore<RecorderSettings>({ processing: false, countsIn: false });
settings.set({
  processing: readLocalStorage(STORAGE_KEYS.processing) === 'on',
  countsIn: readLocalStorage(STORAGE_KEYS.countsIn) === 'on',
});

export const useRecorderSettings = () => useStore(settings);

export const getRecorderSettings = settings.get;

export function getRecorderStartOptions(): RecorderStartOptions {
  const { processing, countsIn } = getRecorderSettings();
  return { processing, countIn: countsIn ? COUNT_IN_SECONDS : 0 };
}

/** Changes settings for this visit and later ones. */
export function updateRecorderSettings(chosen: Partial<RecorderSettings>) {
  settings.set({ ...settings.get(), ...chosen });
  const { processing, countsIn } = settings.get();
  writeLocalStorage(STORAGE_KEYS.processing, processing ? 'on' : null);
  writeLocalStorage(STORAGE_KEYS.countsIn, countsIn ? 'on' : null);
}
