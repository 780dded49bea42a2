import { type ReactNode, useEffect, useState } from 'react';
import { Spinner } from '../ui/spinner.tsx';

export function FullScreenLoading() {
  return (
    <div role="status" className="flex min-h-dvh items-center justify-center gap-3 text-soft">
      <Spinner />
      Loading...
    </div>
  );
}

const SHOW_DELAY_MS = 300;

/** Shown inside the layout while a page's code is loading. Stays empty during a short wait. */
export function PageLoading({ children = 'Loading...' }: { children?: ReactNode }) {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), SHOW_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="flex min-h-[60dvh] items-center justify-center gap-3 text-soft">
      {isLong && (
        <>
          <Spinner />
          {children}
        </>
      )}
    </div>
  );
}
