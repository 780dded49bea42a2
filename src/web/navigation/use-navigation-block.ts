import { useEffect } from 'react';
import { blockNavigation } from './navigation-block.ts';

/** Blocks automatic navigation away from the page while active. */
export function useNavigationBlock(isActive: boolean) {
  useEffect(() => (isActive ? blockNavigation() : undefined), [isActive]);
}
