import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { call } from '../call.ts';
import { queryClient } from '../query-client.ts';
import { sessionQuery } from '../session.ts';
import { toast } from '../toasts.ts';

/** Ends the session, forgets what was fetched in it, and goes to /auth. */
export function useSignOut() {
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: () => call('POST /api/logout'),
    onSuccess: () => {
      navigate('/auth');
      queryClient.setQueryData(sessionQuery.queryKey, null);
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
    },
    onError: (error) =>
      toast({
        title: 'Logout failed',
        description: error.serverMessage ?? error.message,
        variant: 'destructive',
      }),
  });
}
