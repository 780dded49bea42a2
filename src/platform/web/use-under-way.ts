import { useEffect } from 'react';
import { beginUnderWay } from './under-way.ts';

/** Nothing leads away from the page by itself while this is so. */
export function useUnderWay(isUnderWay: boolean) {
  useEffect(() => (isUnderWay ? beginUnderWay() : undefined), [isUnderWay]);
}
