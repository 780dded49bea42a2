import { useEffect } from 'react';
import { sumMenuCounts, useMenuCounts } from './use-menu-counts.ts';
import { showAppBadge } from '#web/layout/show-app-badge.ts';

/** While a user is signed in, shows the number of waiting items on the icon of the installed app. */
export function useAppBadge() {
  const { count } = sumMenuCounts(useMenuCounts());
  useEffect(() => void showAppBadge(count), [count]);
  useEffect(() => () => void showAppBadge(0), []);
}
