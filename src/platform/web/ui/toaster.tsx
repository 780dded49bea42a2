import { lazy, Suspense, useState } from 'react';
import { useToasts } from '../toasts.ts';

const Toasts = lazy(() => import('./toast-viewport.tsx'));

/** Fetches what shows toasts with the first of them; the sign-in page is lighter for it. */
export function Toaster() {
  const hasToasts = useToasts().length > 0;
  const [isNeeded, setIsNeeded] = useState(false);
  if (hasToasts && !isNeeded) setIsNeeded(true);
  return isNeeded ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null;
}
