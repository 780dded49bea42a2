import { isLiveRefetchSuppressed } from '../../contract/live.ts';
import { isBeneath, queryClient } from '../query-client.ts';

/** Fetches anew what somebody else has changed, or may have: what is on screen, but for what is under one's hands. */
export function refreshLive(addresses: readonly string[]) {
  const isOld = (url: string) => addresses.some((address) => isBeneath(url, address));
  const invalidate = (isMeant: (url: string) => boolean, refetchType: 'active' | 'none') =>
    queryClient.invalidateQueries({
      predicate: ({ queryKey: [url] }) => isMeant(String(url)) && isOld(String(url)),
      refetchType,
    });
  void invalidate((url) => !isLiveRefetchSuppressed(url), 'active');
  void invalidate(isLiveRefetchSuppressed, 'none');
}
