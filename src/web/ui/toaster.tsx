import { type ComponentType, useEffect, useState } from 'react';
import { useToasts } from './toasts.ts';

/**
 * Loads the toast viewport with the first toast, which makes the sign-in page lighter. Without a connection it can't
 * be loaded: then the toast is not shown, the page stays as it is, and the next toast tries again.
 */
export function Toaster() {
  const latest = useToasts().at(-1)?.id;
  const [Toasts, setToasts] = useState<ComponentType | null>(null);
  useEffect(() => {
    // Browsers may remember a failed import, so it is not attempted without a connection.
    if (latest === undefined || Toasts || !navigator.onLine) return;
    import('./toast-viewport.tsx').then(
      (loaded) => setToasts(() => loaded.default),
      () => undefined,
    );
  }, [latest, Toasts]);
  return Toasts && <Toasts />;
}
