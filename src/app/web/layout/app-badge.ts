import { useEffect } from 'react';
import { sumCounts, useCounts } from './use-counts.ts';
import { showBadge } from '#web/layout/show-badge.ts';

/** Shows on the installed app's icon how many items are waiting, while somebody is signed in. */
export function useAppBadge() {
  const { count } = sumCounts(useCounts());
  useEffect(() => void showBadge(count), [count]);
  useEffect(() => () => void showBadge(0), []);
}
