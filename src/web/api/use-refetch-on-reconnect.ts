import { useEffect } from 'react';

/** Refetches a failed query as soon as the browser is back online. */
export function useRefetchOnReconnect({ isError, refetch }: { isError: boolean; refetch: () => unknown }) {
  useEffect(() => {
    if (!isError) return;
    const again = () => void refetch();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [isError, refetch]);
}
