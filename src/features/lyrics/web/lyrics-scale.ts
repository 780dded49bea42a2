import { useState } from 'react';
import { useUser } from '#web/api/session.ts';
import { readLocalStorage, writeLocalStorage } from '#web/device/local-storage.ts';

/** Scale factors for the words in the player. */
export const LYRICS_SCALES = [1, 1.25, 1.5, 2] as const;
export type LyricsScale = (typeof LYRICS_SCALES)[number];

/**
 * Returns the size of the words, with a setter that stores it on this device. Each user has one size for all
 * melodies.
 */
export function useLyricsScale() {
  const key = `words size ${useUser().id}`;
  const [size, setSize] = useState(() => {
    const stored = Number(readLocalStorage(key));
    return LYRICS_SCALES.find((each) => each === stored) ?? 1;
  });
  const choose = (next: LyricsScale) => {
    setSize(next);
    writeLocalStorage(key, next === 1 ? null : String(next));
  };
  return [size, choose] as const;
}
