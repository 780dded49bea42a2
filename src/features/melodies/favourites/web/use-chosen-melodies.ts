import { useQuery } from '@tanstack/react-query';
import { createApiQuery } from '#web/api/query-client.ts';
import { useUser } from '#web/api/session.ts';

export const favouritesQuery = createApiQuery('GET /api/user/favourites');
export const todaysListQuery = createApiQuery('GET /api/user/today');

/** Returns a student's lists as sets of melody ids; empty for the teacher and while loading. */
export function useChosenMelodies() {
  const enabled = useUser().role !== 'admin';
  const { data: favourite } = useQuery({ ...favouritesQuery, enabled, select: toIdSet });
  const { data: ofToday } = useQuery({ ...todaysListQuery, enabled, select: toIdSet });
  return { canChoose: enabled, favourites: favourite ?? NONE, today: ofToday ?? NONE };
}

const NONE: ReadonlySet<number> = new Set();
const toIdSet = (rows: readonly { melodyId: number }[]): ReadonlySet<number> =>
  new Set(rows.map(({ melodyId }) => melodyId));
