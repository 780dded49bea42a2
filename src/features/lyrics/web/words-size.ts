import { useState } from 'react';
import { useUser } from '#web/api/session.ts';

/** How much larger than usual the words of the player are. */
export const WORDS_SIZES = [1, 1.25, 1.5, 2] as const;
export type WordsSize = (typeof WORDS_SIZES)[number];

/** Kept on this device for each person, whatever the melody. */
export function useWordsSize() {
  const key = `words size ${useUser().id}`;
  const [size, setSize] = useState(() => stored(key));
  const choose = (next: WordsSize) => {
    setSize(next);
    try {
      if (next === 1) localStorage.removeItem(key);
      else localStorage.setItem(key, String(next));
    } catch {
      // Without storage, the choice lasts as long as the player.
    }
  };
  return [size, choose] as const;
}

function stored(key: string): WordsSize {
  try {
    const kept = Number(localStorage.getItem(key));
    return WORDS_SIZES.find((size) => size === kept) ?? 1;
  } catch {
    return 1;
  }
}
