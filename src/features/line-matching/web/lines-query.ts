import type { Query } from '@tanstack/react-query';
import { callApi, CallError, buildApiUrl } from '#web/api/call.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import type { RecordingLines } from '../contract.ts';

const LINES_ENDPOINT = 'GET /api/recordings/{id}/lines';

/** Distinguishes this cache entry from that of `createLinesQuery`, which has no melody. */
const WITH_MELODY = 'with its melody';

/**
 * Fetches the lines of a recording together with their melody, so that their versions match. The melody is null
 * if the user may no longer hear it. Refetches on every mount.
 */
export const createLinesWithMelodyQuery = (recordingId: number, melodyId: number) => ({
  queryKey: [buildApiUrl(LINES_ENDPOINT, { params: { id: recordingId } }), WITH_MELODY] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const [found, melody] = await Promise.all([
      callApi(LINES_ENDPOINT, { params: { id: recordingId }, signal }),
      callApi('GET /api/melodies/{id}', { params: { id: melodyId }, signal }).catch(nullIfGone),
    ]);
    return { ...found, melody };
  },
  refetchOnMount: 'always' as const,
});

function nullIfGone(error: unknown): null {
  if (error instanceof CallError && error.status === 404) return null;
  throw error;
}

/** Fetches the lines of a recording without their melody. */
export const createLinesQuery = (recordingId: number) =>
  createApiQuery(LINES_ENDPOINT, { params: { id: recordingId } });

/**
 * Fetches the lines of another attempt at the same melody. While the lines are still being found, the cached
 * result is stale, so the next mount refetches it.
 */
export const createAttemptLinesQuery = (recordingId: number) => ({
  ...createLinesQuery(recordingId),
  staleTime: ({ state }: Pick<Query<RecordingLines>, 'state'>) =>
    state.data?.state === 'working' ? 0 : Infinity,
});
