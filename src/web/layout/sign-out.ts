import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { call, CallError, failureOf } from '../api/call.ts';
import { whenNavigationIsFree } from '../navigation/navigation-block.ts';
import { askForSync, END_SESSION } from '../offline/background-sync.ts';
import { forgetSignOut, noteSignOut } from '../offline/owed-sign-out.ts';
import { queryClient } from '../api/query-client.ts';
import { forgetPage, forgetSession, sessionChannel, sessionQuery, useUser } from '../api/session.ts';
import { toastFailure } from '../ui/toast-failure.ts';

const TIMEOUT_MS = 8_000;

/**
 * Ends the session, clears what it has fetched, and goes to /auth. If the server can't be reached, it ends the
 * session with the first request that arrives.
 */
export function useSignOut() {
  const [, navigate] = useLocation();
  const { id } = useUser();
  return useMutation({
    mutationFn: async () => {
      // Before the call, because the page may be closed before its response.
      noteSignOut(id);
      try {
        await call('POST /api/logout', { signal: AbortSignal.timeout(TIMEOUT_MS) });
        forgetSignOut();
      } catch (error) {
        if (isUnreachable(error)) return askForSync(END_SESSION);
        forgetSignOut();
        throw error;
      }
    },
    onSuccess: () => {
      navigate('/auth');
      forgetSession();
    },
    onError: (error) => toastFailure('Logout failed', error, error.message),
  });
}

/** Whether the server can't be reached. A proxy without its server answers without the server's message. */
const isUnreachable = (error: unknown) =>
  failureOf(error) === 'no-answer' || (error instanceof CallError && error.serverMessage === null);

/** Leaves the page when the session was ended in another tab, even if the browser restores the page later. */
export function useSignOutElsewhere() {
  const [, navigate] = useLocation();
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const leave = () =>
      whenNavigationIsFree(() => {
        if (signal.aborted) return;
        navigate('/auth');
        forgetPage();
      });
    sessionChannel().addEventListener('message', leave, { signal });
    const askAgain = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void queryClient.refetchQueries({ queryKey: sessionQuery.queryKey });
    };
    addEventListener('pageshow', askAgain, { signal });
    return () => ending.abort();
  }, []); // oxlint-disable-line react/exhaustive-deps
}
