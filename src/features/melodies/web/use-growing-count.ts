import { startTransition, useEffect, useState } from 'react';

/** Cards made in one go: few enough that a press in between is answered at once, on a slow phone too. */
const CARDS_AT_ONCE = 48;

/**
 * How many of the cards to show: the first ones at once, and all of them little by little, so that the browser's own
 * search and screen readers find everything. Begins anew when something else is listed.
 */
export function useGrowingCount(total: number, first: number, listed: string): number {
  const [count, setCount] = useState(first);
  const [lastListed, setLastListed] = useState(listed);
  if (listed !== lastListed) {
    setLastListed(listed);
    setCount(Math.min(count, CARDS_AT_ONCE));
  }
  useEffect(() => {
    if (count >= total) return;
    // In a task of its own, after what is there has been painted.
    const timer = setTimeout(() => startTransition(() => setCount(count + CARDS_AT_ONCE)));
    return () => clearTimeout(timer);
  }, [count, total]);
  return count;
}
