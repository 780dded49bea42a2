import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query-client.ts';

/** Fetches the ids of the melodies that can be heard line by line. */
export const useTimedMelodyIds = () => useQuery(apiQuery('GET /api/melodies/timed'));
