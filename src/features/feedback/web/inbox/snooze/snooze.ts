import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { callApi, fetchAllPages, getErrorMessage } from '#web/api/call.ts';
import { createApiQuery, queryClient } from '#web/api/query-client.ts';
import { useNow } from '#web/ui/time-ago.tsx';
import { toast } from '#web/ui/toasts.ts';
import type { SnoozedRecording } from '#features/feedback/contract.ts';

const snoozedQuery = {
  ...createApiQuery('GET /api/admin/feedback/put-aside'),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    fetchAllPages('GET /api/admin/feedback/put-aside', signal),
};

/** Returns the snoozed recordings with the time at which each snooze ends. Omits snoozes that have ended. */
export function useSnoozedRecordings(): ReadonlyMap<number, Date> {
  const { data } = useQuery(snoozedQuery);
  const now = useNow();
  return useMemo(() => {
    const all = (data ?? []).map(({ recordingId, until }) => [recordingId, new Date(until)] as const);
    return new Map(all.filter(([, until]) => until.getTime() > now));
  }, [data, now]);
}

export type Snooze = { recordingId: number; until: Date | null };

/**
 * Returns a mutation that snoozes a recording or ends its snooze, with an optimistic update. If the call
 * fails, shows an error and refetches the list.
 */
export const useSnooze = () =>
  useMutation({
    mutationFn: ({ recordingId, until }: Snooze) =>
      callApi('PUT /api/admin/recordings/{id}/put-aside', {
        params: { id: recordingId },
        body: { until: until?.toISOString() ?? null },
      }),
    onMutate: ({ recordingId, until }) =>
      queryClient.setQueryData(snoozedQuery.queryKey, (before: readonly SnoozedRecording[] = []) => [
        ...before.filter((each) => each.recordingId !== recordingId),
        ...(until ? [{ recordingId, until: until.toISOString() }] : []),
      ]),
    onError: (error, { until }) => {
      toast({
        title: until ? 'Couldn’t snooze this recording.' : 'Couldn’t bring this recording back.',
        description: getErrorMessage(error, 'The connection was lost.'),
        variant: 'destructive',
      });
      return queryClient.invalidateQueries({ queryKey: snoozedQuery.queryKey });
    },
  });

/** Returns the start of the day that is this many days from now. */
export function getStartOfDayAfter(now: Date, days: number): Date {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() + days);
  return day;
}

/**
 * Parses the value of a date field, '2026-11-27', as the start of that day; null if invalid or not in the
 * future.
 */
export function parseFutureDay(typed: string, now: Date): Date | null {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? new Date(`${typed}T00:00`) : null;
  return day && day.getTime() > now.getTime() ? day : null;
}
