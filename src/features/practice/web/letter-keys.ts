import { useState } from 'react';

const KEY = 'player letter keys';

/** Single-letter shortcuts can be turned off: speech input would trigger them by accident. */
export function useLetterKeys() {
  const [hasLetters, setHasLetters] = useState(read);
  const choose = (next: boolean) => {
    setHasLetters(next);
    write(next);
  };
  return [hasLetters, choose] as const;
}

function read() {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

function write(hasLetters: boolean) {
  try {
    if (hasLetters) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'off');
  } catch {
    return;
  }
}
