import { startTransition, useEffect, useState } from 'react';

/**
 * Number of cards rendered per step. Low enough that even a slow phone can respond to a press between two
 * steps.
 */
const CARDS_PER_STEP = 24;
/** Maximum number of cards rendered first when another list is shown. Enough to fill a screen. */
const CARDS_OF_NEW_LIST = 12;

/**
 * Returns how many cards to show: `first` cards immediately, then more in steps until all are shown, so that
 * the browser's search and screen readers find everything. Starts over when `listed` changes, unless the new
 * list begins with the same entries.
 */
export function useIncrementalCount<Entry extends { id: number }>(
  entries: readonly Entry[],
  first: number,
  listed: string,
): number {
  const [count, setCount] = useState(first);
  const [last, setLast] = useState({ entries, listed });
  if (entries !== last.entries || listed !== last.listed) {
    setLast({ entries, listed });
    if (listed !== last.listed && !startWithSameEntries(entries, last.entries, count))
      setCount(Math.min(count, CARDS_OF_NEW_LIST));
  }
  const total = entries.length;
  useEffect(() => {
    if (count >= total) return;
    // Runs in a separate task, after the current cards have been painted.
    const timer = setTimeout(() => startTransition(() => setCount(count + CARDS_PER_STEP)));
    return () => clearTimeout(timer);
  }, [count, total]);
  return count;
}

const GROUPS_PER_REMOVAL = 2;
/** Delay between two removals, because rendering new cards is more urgent. */
const REMOVAL_INTERVAL_MS = 300;

/**
 * Returns how many groups to keep mounted: at least `count`, and at first also those that were shown before,
 * which the caller hides. Removing groups takes longer than rendering them, so they are removed in steps,
 * between which the page responds to keys and presses.
 */
export function useMountedGroupCount(count: number): number {
  const [mounted, setMounted] = useState(count);
  if (count > mounted) setMounted(count);
  useEffect(() => {
    if (count >= mounted) return;
    const removeSome = () => setMounted(Math.max(count, mounted - GROUPS_PER_REMOVAL));
    const timer = setTimeout(() => startTransition(removeSome), REMOVAL_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [count, mounted]);
  return Math.max(count, mounted);
}

function startWithSameEntries(
  entries: readonly { id: number }[],
  previousEntries: readonly { id: number }[],
  count: number,
): boolean {
  const length = Math.min(count, Math.max(entries.length, previousEntries.length));
  for (let i = 0; i < length; i += 1) if (entries[i]?.id !== previousEntries[i]?.id) return false;
  return true;
}
