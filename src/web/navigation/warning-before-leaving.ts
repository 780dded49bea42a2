import { useEffect } from 'react';

/** The browser asks before the page is closed or loaded anew while something on it would be lost. @returns ends it */
export function warnBeforeLeaving(): () => void {
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', warn);
  return () => removeEventListener('beforeunload', warn);
}

export function useWarningBeforeLeaving(isNeeded: boolean) {
  useEffect(() => (isNeeded ? warnBeforeLeaving() : undefined), [isNeeded]);
}
