import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { call, sentenceOf } from '../call.ts';
import { forgetSession } from '../session.ts';
import { toast } from '../toasts.ts';

/** Ends the session, forgets what was fetched in it, and goes to /auth. */
export function useSignOut() {
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: () => call('POST /api/logout'),
    onSuccess: () => {
      navigate('/auth');
      forgetSession();
    },
    onError: (error) =>
      toast({
        title: 'Logout failed',
        description: sentenceOf(error, error.message),
        variant: 'destructive',
      }),
  });
}
