import { createStore } from '../store.ts';
import { useStore } from '../use-store.ts';
import { readLocalStorage, writeLocalStorage } from './local-storage.ts';

// index.html applies theme and text size before the first paint and follows the device's theme, because this
// file is loaded only with the account menu.
const THEME_KEY = 'theme';
const TEXT_SIZE_KEY = 'text-size';

export type Theme = 'system' | 'light' | 'dark';
export type TextSize = 'normal' | 'large' | 'larger';
export type Appearance = { theme: Theme; textSize: TextSize };

const darkSchemeQuery = matchMedia('(prefers-color-scheme: dark)');
const appearance = createStore<Appearance>({
  theme: (readLocalStorage(THEME_KEY) ?? 'system') as Theme,
  textSize: (readLocalStorage(TEXT_SIZE_KEY) ?? 'normal') as TextSize,
});

export const useAppearance = () => useStore(appearance);

/** Changes the theme or text size on this device, and stores them for later visits. */
export function updateAppearance(chosen: Partial<Appearance>) {
  appearance.set({ ...appearance.get(), ...chosen });
  const { theme, textSize } = appearance.get();
  writeLocalStorage(THEME_KEY, theme);
  writeLocalStorage(TEXT_SIZE_KEY, textSize);
  applyAppearance();
}

// Corrects what the listener in index.html has just applied, because that listener can't read a choice that
// could not be stored.
darkSchemeQuery.addEventListener('change', applyAppearance);

function applyAppearance() {
  const { theme, textSize } = appearance.get();
  const isDark = theme === 'dark' || (theme === 'system' && darkSchemeQuery.matches);
  const { dataset } = document.documentElement;
  dataset.theme = isDark ? 'dark' : 'light';
  dataset.textSize = textSize;
}
