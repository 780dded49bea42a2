import { useEffect } from 'react';
import { blockNavigation } from './navigation-block.ts';

/** Nothing leads away from the page by itself while this is so. */
export function useNavigationBlock(isUnderWay: boolean) {
  useEffect(() => (isUnderWay ? blockNavigation() : undefined), [isUnderWay]);
}
