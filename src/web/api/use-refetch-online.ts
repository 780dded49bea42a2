import { useEffect } from 'react';

/** Refetches what could not be loaded once there is a connection. */
export function useRefetchOnline({ isError, refetch }: { isError: boolean; refetch: () => unknown }) {
  useEffect(() => {
    if (!isError) return;
    const again = () => void refetch();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [isError, refetch]);
}
