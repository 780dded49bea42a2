import { useEffect } from 'react';
import { sumOf, useCounts } from './counts.ts';
import { showBadge } from '#web/layout/show-badge.ts';

/** Shows on the installed app's icon how much is waiting, for as long as somebody is signed in. */
export function useAppBadge() {
  const { count } = sumOf(useCounts());
  useEffect(() => void showBadge(count), [count]);
  useEffect(() => () => void showBadge(0), []);
}
