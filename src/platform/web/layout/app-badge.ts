import { useEffect } from 'react';
import { sumOf, useCounts } from './counts.ts';

/** Shows on the installed app's icon how much is waiting, for as long as somebody is signed in. */
export function useAppBadge() {
  const { count } = sumOf(useCounts());
  useEffect(() => void show(count), [count]);
  useEffect(() => () => void show(0), []);
}

async function show(count: number): Promise<void> {
  try {
    await (navigator as Partial<Navigator>).setAppBadge?.(count);
  } catch {
    // Some browsers want to be allowed to notify first.
  }
}
