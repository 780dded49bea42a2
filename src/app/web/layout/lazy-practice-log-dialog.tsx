import { useEffect } from 'react';
import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import { createStore } from '#web/store.ts';
import { useStore } from '#web/use-store.ts';

const Dialog = createLazyComponent(() => import('#features/practice/log/web/practice-log-dialog.tsx'));

const isOpen = createStore(false);

export const openPracticeLogDialog = () => isOpen.set(true);

/** The dialog of the practice log. It stays open after the menu that opened it has closed. */
export function LazyPracticeLogDialog() {
  const isShown = useStore(isOpen);
  // Closes the dialog at sign-out, so that the next user doesn't see it.
  useEffect(() => () => isOpen.set(false), []);
  return isShown && <LazyBoundary part={Dialog} onClose={() => isOpen.set(false)} />;
}
