import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';

/** Asks again, once there is a connection, for what could not be loaded. */
export function useRefetchOnline({ isError, refetch }: Pick<UseQueryResult, 'isError' | 'refetch'>) {
  useEffect(() => {
    if (!isError) return;
    const again = () => void refetch();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [isError, refetch]);
}
