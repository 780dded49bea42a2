import { useQuery } from '@tanstack/react-query';
import { createApiQuery } from '#web/api/query-client.ts';
import { useUser } from '#web/api/session.ts';

export type MenuCount = { count: number; noun: string };

/**
 * Returns the number of waiting items and a noun for them, keyed by the path of the menu item. Leaves out
 * numbers that have not loaded yet.
 */
export function useMenuCounts(): Readonly<Record<string, MenuCount>> {
  const isAdmin = useUser().role === 'admin';
  const unread = useQuery({ ...createApiQuery('GET /api/feedback/unread-count'), enabled: !isAdmin }).data
    ?.count;
  const pending = useQuery({ ...createApiQuery('GET /api/admin/pending-recordings/count'), enabled: isAdmin })
    .data?.count;
  const requests = useQuery({
    ...createApiQuery('GET /api/admin/registration-requests/count'),
    enabled: isAdmin,
  }).data?.count;
  return {
    ...(unread === undefined ? {} : { '/feedback': { count: unread, noun: 'unread' } }),
    ...(pending === undefined
      ? {}
      : { '/admin': { count: pending, noun: pending === 1 ? 'new recording' : 'new recordings' } }),
    ...(requests === undefined
      ? {}
      : {
          '/admin/registrations': { count: requests, noun: requests === 1 ? 'new request' : 'new requests' },
        }),
  };
}

/**
 * Returns the total number of waiting items. `noun` describes them: 'unread', or 'waiting: 2 new recordings, 1
 * new request'.
 */
export function sumMenuCounts(counts: Readonly<Record<string, MenuCount>>): MenuCount {
  const waiting = Object.values(counts).filter(({ count }) => count > 0);
  return {
    count: waiting.reduce((sum, { count }) => sum + count, 0),
    noun:
      waiting.length === 1
        ? waiting[0]!.noun
        : `waiting: ${waiting.map(({ count, noun }) => `${count} ${noun}`).join(', ')}`,
  };
}
