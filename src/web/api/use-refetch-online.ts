import { useEffect } from 'react';

/** Asks again, once there is a connection, for what could not be loaded. */
export function useRefetchOnline({ isError, refetch }: { isError: boolean; refetch: () => unknown }) {
  useEffect(() => {
    if (!isError) return;
    const again = () => void refetch();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [isError, refetch]);
}
