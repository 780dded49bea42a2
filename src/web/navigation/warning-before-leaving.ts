import { useEffect } from 'react';

/**
 * Makes the browser ask before the page is closed or reloaded, because unsaved work would be lost.
 * @returns a function that removes the warning
 */
export function warnBeforeLeaving(): () => void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', warn);
  return () => removeEventListener('beforeunload', warn);
}

export function useWarningBeforeLeaving(isNeeded: boolean) {
  useEffect(() => (isNeeded ? warnBeforeLeaving() : undefined), [isNeeded]);
}
