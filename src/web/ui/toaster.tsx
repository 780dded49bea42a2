import { type ComponentType, useEffect, useState } from 'react';
import { useToasts } from './toasts.ts';

/**
 * Loads the toast viewport with the first toast, which makes the sign-in page lighter. If the viewport can't be
 * loaded for lack of a connection, the toast is not shown, and the next toast tries again.
 */
export function Toaster() {
  const latest = useToasts().at(-1)?.id;
  const [Toasts, setToasts] = useState<ComponentType | null>(null);
  useEffect(() => {
    // Browsers may remember a failed import, so it is not attempted while offline.
    if (latest === undefined || Toasts || !navigator.onLine) return;
    import('./toast-viewport.tsx').then(
      (loaded) => setToasts(() => loaded.default),
      () => undefined,
    );
  }, [latest, Toasts]);
  return Toasts && <Toasts />;
}
