import { type ComponentType, useEffect, useState } from 'react';
import { useToasts } from '../toasts.ts';

/**
 * Fetches what shows toasts with the first of them; the sign-in page is lighter for it. Without a connection it can't be
 * fetched: then the toast is not seen, the page stays as it is, and the next toast tries again.
 */
export function Toaster() {
  const latest = useToasts().at(-1)?.id;
  const [Toasts, setToasts] = useState<ComponentType | null>(null);
  useEffect(() => {
    // A browser may remember that a piece of code could not be had: without a connection it is not even asked for.
    if (latest === undefined || Toasts || !navigator.onLine) return;
    import('./toast-viewport.tsx').then(
      (loaded) => setToasts(() => loaded.default),
      () => undefined,
    );
  }, [latest, Toasts]);
  return Toasts && <Toasts />;
}
