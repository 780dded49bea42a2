import { type ComponentType, useEffect, useState } from 'react';
import { useToasts } from '../toasts.ts';

/**
 * Fetches what shows toasts with the first of them; the sign-in page is lighter for it. Without a line it can't be
 * fetched: then the toast is not seen, the page stays as it is, and the next toast tries again.
 */
export function Toaster() {
  const count = useToasts().length;
  const [Toasts, setToasts] = useState<ComponentType | null>(null);
  useEffect(() => {
    if (count === 0 || Toasts) return;
    import('./toast-viewport.tsx').then(
      (loaded) => setToasts(() => loaded.default),
      () => undefined,
    );
  }, [count, Toasts]);
  return Toasts && <Toasts />;
}
