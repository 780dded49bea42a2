import { useEffect, useState } from 'react';

/** Debounce: nobody wants results for every letter. */
const SETTLED_AFTER_MS = 300;

/** What was typed, once nothing more is typed for a moment; at once when all of it is taken away. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), SETTLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return typed === '' ? typed : settled;
}
