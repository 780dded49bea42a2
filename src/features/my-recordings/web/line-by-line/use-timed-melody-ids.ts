import { useQuery } from '@tanstack/react-query';
import { createApiQuery } from '#web/api/query-client.ts';

/** Fetches the ids of the melodies that can be heard line by line. */
export const useTimedMelodyIds = () => useQuery(createApiQuery('GET /api/melodies/timed'));
