import { useQuery } from '@tanstack/react-query';
import { createApiQuery } from '#web/api/query-client.ts';

/** Fetches the ids of the melodies with timings that the user may hear. */
export const useTimedMelodyIds = () => useQuery(createApiQuery('GET /api/melodies/timed'));
