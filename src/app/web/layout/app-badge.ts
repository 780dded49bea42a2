import { useEffect } from 'react';
import { sumMenuCounts, useMenuCounts } from './use-menu-counts.ts';
import { updateAppBadge } from '#web/layout/update-app-badge.ts';

/** While a user is signed in, shows the number of waiting items on the icon of the installed app. */
export function useAppBadge() {
  const { count } = sumMenuCounts(useMenuCounts());
  useEffect(() => void updateAppBadge(count), [count]);
  useEffect(() => () => void updateAppBadge(0), []);
}
