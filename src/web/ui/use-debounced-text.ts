import { useEffect, useState } from 'react';

/** Debounce delay, so that not every letter starts a search. */
const DEBOUNCE_MS = 200;

/** Returns the text once the user pauses typing. An empty text is returned immediately. */
export function useDebouncedText(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return typed === '' ? typed : settled;
}
