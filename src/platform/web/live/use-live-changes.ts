import { useEffect } from 'react';
import { isLiveRefetchSuppressed, LIVE } from '../../contract/live.ts';
import { useUser } from '../session.ts';
import { throttleRefreshes } from './throttle-refreshes.ts';
import { listenForChanges } from './live-changes.ts';
import { isBeneath, queryClient } from '../query-client.ts';

/** First what the page itself needs: on a slow connection the stream would take from it. */
const BEGINS_AFTER_MS = 3_000;

/** So long what comes in a row is gathered. */
const MOMENT_MS = 1_000;

/** Badges and lists of an open page follow what happens, without a reload and without asking again and again. */
export function useLiveChanges() {
  const { id } = useUser();
  useEffect(() => {
    let end = () => {};
    const timer = setTimeout(() => {
      const changes = throttleRefreshes(refreshLive, MOMENT_MS);
      const stopListening = listenForChanges((news) => changes.add(news ?? LIVE));
      end = () => {
        stopListening();
        changes.end();
      };
    }, BEGINS_AFTER_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [id]);
}

/** Fetches anew what somebody else has changed, or may have: what is on screen, but for what is under one's hands. */
function refreshLive(addresses: readonly string[]) {
  const isOld = (url: string) => addresses.some((address) => isBeneath(url, address));
  const invalidate = (isMeant: (url: string) => boolean, refetchType: 'active' | 'none') =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [url] }) => isMeant(String(url)) && isOld(String(url)),
      refetchType,
    });
  void invalidate((url) => !isLiveRefetchSuppressed(url), 'active');
  void invalidate(isLiveRefetchSuppressed, 'none');
}
