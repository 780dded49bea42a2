import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query-client.ts';

/** The ids of the melodies that may be heard line by line. */
export const useTimedMelodies = () => useQuery(apiQuery('GET /api/melodies/timed'));
