import { useEffect } from 'react';
import { sumMenuCounts, useMenuCounts } from './use-counts.ts';
import { showBadge } from '#web/layout/show-badge.ts';

/** While a user is signed in, shows the number of waiting items on the icon of the installed app. */
export function useAppBadge() {
  const { count } = sumMenuCounts(useMenuCounts());
  useEffect(() => void showBadge(count), [count]);
  useEffect(() => () => void showBadge(0), []);
}
