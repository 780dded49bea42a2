import { useEffect } from 'react';
import { isLiveRefetchSuppressed, LIVE_PATHS } from '#shared/live.ts';
import { useUser } from '../api/session.ts';
import { createRefreshThrottle } from './refresh-throttle.ts';
import { listenForLiveChanges } from './live-changes.ts';
import { pageData } from '../api/page-data.ts';
import { requestPackCheck } from '../offline/check-pack.ts';
import { isUnderPath, queryClient } from '../api/query-client.ts';

/**
 * Delay before the stream is opened, because on a slow connection the stream would compete with the page's own
 * requests.
 */
export const LIVE_STREAM_START_DELAY_MS = 3_000;

const MELODIES_ADDRESS = '/api/melodies';

/** Interval over which successive changes are collected. */
const COLLECT_INTERVAL_MS = 1_000;

/** Updates badges and lists of an open page when data changes, without reloading or polling. */
export function useLiveChanges() {
  const { id } = useUser();
  useEffect(() => {
    let end = () => {};
    const timer = setTimeout(() => {
      const changes = createRefreshThrottle(refreshLive, COLLECT_INTERVAL_MS);
      const stopListening = listenForLiveChanges(pageData.position, (changed) =>
        changes.add(changed ?? LIVE_PATHS),
      );
      end = () => {
        stopListening();
        changes.end();
      };
    }, LIVE_STREAM_START_DELAY_MS);
    return () => {
      clearTimeout(timer);
      end();
    };
  }, [id]);
}

/**
 * Marks the data at these URLs as stale, because others have or may have changed it. Refetches what is on
 * screen, except what the user is working on. If melodies have changed, also checks which may stay on this
 * device.
 */
function refreshLive(addresses: readonly string[]) {
  if (addresses.includes(MELODIES_ADDRESS)) requestPackCheck();
  const isOld = (url: string) => addresses.some((address) => isUnderPath(url, address));
  const invalidate = (isMeant: (url: string) => boolean, refetchType: 'active' | 'none') =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [url] }) => isMeant(String(url)) && isOld(String(url)),
      refetchType,
    });
  void invalidate((url) => !isLiveRefetchSuppressed(url), 'active');
  void invalidate(isLiveRefetchSuppressed, 'none');
}
