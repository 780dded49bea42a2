import { useEffect, useRef, useState } from 'react';
import { holdTake } from '#features/recordings/web/takes/take-locks.ts';

/**
 * Locks the takes that this page has, so that no other tab takes them for left behind.
 * @returns what locks one before it is among them
 */
export function useHeldTakes(sounds: ReadonlyMap<string, unknown>) {
  const held = useRef(new Map<string, () => void>());
  const [hold] = useState(() => (id: string) => {
    if (!held.current.has(id)) held.current.set(id, holdTake(id));
  });
  useEffect(() => sounds.forEach((_, id) => hold(id)), [sounds, hold]);
  useEffect(() => {
    const all = held.current;
    return () => {
      for (const letGo of all.values()) letGo();
      all.clear();
    };
  }, []);
  return hold;
}
