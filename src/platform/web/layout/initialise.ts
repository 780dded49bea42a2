import { useEffect } from 'react';
import { call, CallError, isUnauthorized } from '../call.ts';
import { loseSession } from '../lost-session.ts';
import { useUser } from '../session.ts';

let isDone = false;

/** The teacher's first page makes what a new installation lacks; once for each time the app is loaded. */
export function useInitialise() {
  const isAdmin = useUser().role === 'admin';
  useEffect(() => {
    if (!isAdmin || isDone) return;
    isDone = true;
    call('POST /api/init').catch((error: unknown) => {
      if (isUnauthorized(error)) loseSession();
      else console.debug('Initialising did not succeed:', error instanceof CallError ? error.message : error);
    });
  }, [isAdmin]);
}
