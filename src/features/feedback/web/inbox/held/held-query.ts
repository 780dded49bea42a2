import { call } from '#web/api/call.ts';
import { apiQuery, isBeneath, queryClient } from '#web/api/query-client.ts';
import type { HeldFeedback } from '#features/feedback/contract.ts';

const held = apiQuery('GET /api/admin/feedback/held');

/** Queries that change once a reply is no longer held: it is a draft again, or has answered a pending recording. */
const OUTCOMES = ['/api/admin/feedback-drafts', '/api/recordings/pending'] as const;

/** @throws where one of them could not be loaded */
export const fetchOutcomes = () =>
  queryClient.refetchQueries(
    {
      type: 'active',
      predicate: ({ queryKey: [url] }) => OUTCOMES.some((address) => isBeneath(String(url), address)),
    },
    { throwOnError: true },
  );

/**
 * The replies of this teacher that have not gone out yet. A change arrives together with its outcomes: a card that
 * opened before its draft was there would be empty, and take the sounds of the reply for forgotten ones.
 */
export const heldQuery = {
  ...held,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const now = await call('GET /api/admin/feedback/held', { signal });
    const before = queryClient.getQueryData(held.queryKey);
    if (before && idsIn(before) !== idsIn(now)) await fetchOutcomes();
    return now;
  },
};

const idsIn = (replies: readonly HeldFeedback[]) =>
  replies
    .map(({ recordingId }) => recordingId)
    .sort((a, b) => a - b)
    .join();
