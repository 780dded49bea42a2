import { useEffect } from 'react';
import { sumMenuCounts, useMenuCounts } from './use-menu-counts.ts';
import { updateAppBadge } from '#web/layout/update-app-badge.ts';

/** Shows the number of waiting items on the installed app's icon while a user is signed in. */
export function useAppBadge() {
  const { count } = sumMenuCounts(useMenuCounts());
  useEffect(() => void updateAppBadge(count), [count]);
  useEffect(() => () => void updateAppBadge(0), []);
}
