import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call, callAllPages, sentenceOf } from '#web/api/call.ts';
import { apiQuery, queryClient } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';
import type { PutAside } from '#features/feedback/contract.ts';

const asideQuery = {
  ...apiQuery('GET /api/admin/feedback/put-aside'),
  queryFn: ({ signal }: { signal: AbortSignal }) => callAllPages('GET /api/admin/feedback/put-aside', signal),
};

/** Returns the time until which each recording is snoozed, without those whose time has passed. */
export function usePutAside(): ReadonlyMap<number, Date> {
  const { data, dataUpdatedAt } = useQuery(asideQuery);
  return useMemo(() => {
    const all = (data ?? []).map(({ recordingId, until }) => [recordingId, new Date(until)] as const);
    return new Map(all.filter(([, until]) => until.getTime() > dataUpdatedAt));
  }, [data, dataUpdatedAt]);
}

export type Aside = { recordingId: number; until: Date | null };

/** Optimistic update; if the server rejects it, the list is refetched. */
export const usePuttingAside = () =>
  useMutation({
    mutationFn: ({ recordingId, until }: Aside) =>
      call('PUT /api/admin/recordings/{id}/put-aside', {
        params: { id: recordingId },
        body: { until: until?.toISOString() ?? null },
      }),
    onMutate: ({ recordingId, until }) =>
      queryClient.setQueryData(asideQuery.queryKey, (before: readonly PutAside[] = []) => [
        ...before.filter((each) => each.recordingId !== recordingId),
        ...(until ? [{ recordingId, until: until.toISOString() }] : []),
      ]),
    onError: (error, { until }) => {
      toast({
        title: until ? 'Couldn’t snooze this recording.' : 'Couldn’t bring this recording back.',
        description: sentenceOf(error, 'The connection was lost.'),
        variant: 'destructive',
      });
      return queryClient.invalidateQueries({ queryKey: asideQuery.queryKey });
    },
  });

/** Returns the start of the day that is this many days from now. */
export function dayFrom(now: Date, days: number): Date {
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() + days);
  return day;
}

/** Parses the value of a date field, '2026-11-27', as the start of that day; null if invalid or not in the future. */
export function dayOf(typed: string, now: Date): Date | null {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(typed) ? new Date(`${typed}T00:00`) : null;
  return day && day.getTime() > now.getTime() ? day : null;
}
