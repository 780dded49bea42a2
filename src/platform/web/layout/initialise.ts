import { useEffect } from 'react';
import { call, CallError, isUnauthorized } from '../call.ts';
import { loseSession } from '../lost-session.ts';
import { queryClient, refresh } from '../query-client.ts';
import { useUser } from '../session.ts';

let isDone = false;

/** The teacher's first page makes what a new installation lacks; once for each time the app is loaded. */
export function useInitialise() {
  const isAdmin = useUser().role === 'admin';
  useEffect(() => {
    if (!isAdmin || isDone) return;
    isDone = true;
    call('POST /api/init').then(fetchLevelsAgain, (error: unknown) => {
      if (isUnauthorized(error)) loseSession();
      else console.debug('Initialising did not succeed:', error instanceof CallError ? error.message : error);
    });
  }, [isAdmin]);
}

/** A page that asked for the levels before there were any would go on showing none. */
function fetchLevelsAgain() {
  refresh(
    ['/api/admin/transmission-levels', '/api/user/transmission-levels'].filter(
      (address) => queryClient.getQueryData<unknown[]>([address])?.length === 0,
    ),
  );
}
