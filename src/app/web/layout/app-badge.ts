import { useEffect } from 'react';
import { sumOf, useCounts } from './counts.ts';
import { showBadge } from '#web/layout/show-badge.ts';

/** Shows on the installed app's icon how many items are waiting, while somebody is signed in. */
export function useAppBadge() {
  const { count } = sumOf(useCounts());
  useEffect(() => void showBadge(count), [count]);
  useEffect(() => () => void showBadge(0), []);
}
