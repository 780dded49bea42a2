import { useEffect } from 'react';
import { blockNavigation } from './navigation-block.ts';

/** Nothing leads away from the page by itself while this is so. */
export function useNavigationBlock(isActive: boolean) {
  useEffect(() => (isActive ? blockNavigation() : undefined), [isActive]);
}
