import type { StartOptions } from '#web/audio/recorder.ts';
import { createStore } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';

/** Recording preferences, stored on this device. */
export type RecorderSettings = {
  /** Echo cancellation, noise suppression and gain control. */
  readonly processing: boolean;
  /** 3, 2, 1 before it begins. */
  readonly countsIn: boolean;
};

const COUNT_IN_SECONDS = 3;

const KEYS = { processing: 'recorder voice-processing', countsIn: 'recorder count-in' } as const;

/** Both are off until the user turns them on. */
const settings = createStore<RecorderSettings>({ processing: false, countsIn: false });
settings.set({ processing: isKept(KEYS.processing), countsIn: isKept(KEYS.countsIn) });

export const useRecorderSettings = () => useStore(settings);

export const recorderSettings = settings.get;

/** How the next recording begins. */
export function startOptions(): StartOptions {
  const { processing, countsIn } = recorderSettings();
  return { processing, countIn: countsIn ? COUNT_IN_SECONDS : 0 };
}

/** Applies to this visit and later ones. */
export function chooseRecorderSettings(chosen: Partial<RecorderSettings>) {
  settings.set({ ...settings.get(), ...chosen });
  keep(KEYS.processing, settings.get().processing);
  keep(KEYS.countsIn, settings.get().countsIn);
}

// Storage throws if the browser forbids it; then the choice lasts as long as the page.
function isKept(key: string) {
  try {
    return localStorage.getItem(key) === 'on';
  } catch {
    return false;
  }
}

function keep(key: string, isOn: boolean) {
  try {
    if (isOn) localStorage.setItem(key, 'on');
    else localStorage.removeItem(key);
  } catch {
    return;
  }
}
