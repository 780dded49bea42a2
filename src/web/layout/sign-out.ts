import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { callApi, CallError, classifyError } from '../api/call.ts';
import { runWhenNavigationUnblocked } from '../navigation/navigation-block.ts';
import { registerBackgroundSync, END_SESSION_SYNC_TAG } from '../offline/background-sync.ts';
import { clearPendingSignOut, setPendingSignOut } from '../offline/pending-sign-out.ts';
import { queryClient } from '../api/query-client.ts';
import {
  clearPageSession,
  clearSession,
  getSessionEndedChannel,
  sessionQuery,
  useUser,
} from '../api/session.ts';
import { showFailureToast } from '../ui/toast-failure.ts';

const TIMEOUT_MS = 8_000;

/**
 * Returns a mutation that ends the session, clears the data that was fetched in it, and goes to /auth. If the
 * server can't be reached, the session ends with the next request that reaches the server.
 */
export function useSignOut() {
  const [, navigate] = useLocation();
  const { id } = useUser();
  return useMutation({
    mutationFn: async () => {
      // Set before the call, because the page may be closed before the response arrives.
      setPendingSignOut(id);
      try {
        await callApi('POST /api/logout', { signal: AbortSignal.timeout(TIMEOUT_MS) });
        clearPendingSignOut();
      } catch (error) {
        if (isUnreachable(error)) return registerBackgroundSync(END_SESSION_SYNC_TAG);
        clearPendingSignOut();
        throw error;
      }
    },
    onSuccess: () => {
      navigate('/auth');
      clearSession();
    },
    onError: (error) => showFailureToast('Logout failed', error, error.message),
  });
}

/** Returns whether the server can't be reached: there was no response, or only a proxy's error page. */
const isUnreachable = (error: unknown) =>
  classifyError(error) === 'no-answer' || (error instanceof CallError && error.serverMessage === null);

/**
 * Goes to /auth when another tab ends the session, as soon as nothing blocks navigation. Checks the session
 * again when the browser restores the page from its back/forward cache.
 */
export function useCrossTabSignOut() {
  const [, navigate] = useLocation();
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const leave = () =>
      runWhenNavigationUnblocked(() => {
        if (signal.aborted) return;
        navigate('/auth');
        clearPageSession();
      });
    getSessionEndedChannel().addEventListener('message', leave, { signal });
    const refetchSession = ({ persisted }: PageTransitionEvent) => {
      if (persisted) void queryClient.refetchQueries({ queryKey: sessionQuery.queryKey });
    };
    addEventListener('pageshow', refetchSession, { signal });
    return () => ending.abort();
  }, []); // oxlint-disable-line react/exhaustive-deps
}
