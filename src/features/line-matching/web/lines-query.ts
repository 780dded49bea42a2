import type { Query } from '@tanstack/react-query';
import { call, CallError, urlOf } from '#web/api/call.ts';
import { apiQuery } from '#web/api/query-client.ts';
import type { RecordingLines } from '../contract.ts';

const LINES = 'GET /api/recordings/{id}/lines';

/** Tells it in the cache from the lines alone. */
const WITH_MELODY = 'with its melody';

/**
 * The lines of a recording with the melody that they are of, asked for together, so that they fit each other; of the
 * melody null if it may not be heard any more. Asked for each time they are shown.
 */
export const linesWithMelody = (recordingId: number, melodyId: number) => ({
  queryKey: [urlOf(LINES, { params: { id: recordingId } }), WITH_MELODY] as const,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const [found, melody] = await Promise.all([
      call(LINES, { params: { id: recordingId }, signal }),
      call('GET /api/melodies/{id}', { params: { id: melodyId }, signal }).catch(nullIfGone),
    ]);
    return { ...found, melody };
  },
  refetchOnMount: 'always' as const,
});

function nullIfGone(error: unknown): null {
  if (error instanceof CallError && error.status === 404) return null;
  throw error;
}

/** The lines of a recording alone. */
export const linesOf = (recordingId: number) => apiQuery(LINES, { params: { id: recordingId } });

/** The lines of another attempt at the same melody; asked for again while they are still being found. */
export const linesOfAttempt = (recordingId: number) => ({
  ...linesOf(recordingId),
  staleTime: ({ state }: Pick<Query<RecordingLines>, 'state'>) =>
    state.data?.state === 'working' ? 0 : Infinity,
});
