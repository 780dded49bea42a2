import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { createApiQuery } from '#web/api/query-client.ts';
import { createLinesQuery } from '#features/line-matching/web/lines-query.ts';
import type { Recording } from '#features/recordings/contract.ts';
import { getTimedLines } from '#features/melodies/timed-lines.ts';
import { buildSungPassages } from '#features/feedback/web/marks/sung-passages.ts';
import { useLineCorrection } from './use-line-correction.ts';

export type SungLinesState = ReturnType<typeof useSungLines>;

const NONE: readonly never[] = [];

/**
 * Subtracted from a recording's duration, which is rounded to whole seconds and so can be up to this much too
 * long.
 */
const DURATION_TOLERANCE_SECONDS = 0.5;

/**
 * Returns the lines of a melody, and where they are sung in a recording of it.
 * @param isWanted whether the recording is open
 * @param wantsMelody whether the melody's lines are needed even if none were found in the recording
 */
export function useSungLines(
  { id, melodyId, duration }: Pick<Recording, 'id' | 'melodyId' | 'duration'>,
  isWanted: boolean,
  wantsMelody: boolean,
) {
  const { data } = useQuery({ ...createLinesQuery(id), enabled: isWanted && melodyId !== null });
  const found = data?.state === 'ready' ? data.lines : NONE;
  const { data: melody } = useQuery({
    ...createApiQuery('GET /api/melodies/{id}', { params: { id: melodyId ?? 0 } }),
    enabled: isWanted && melodyId !== null && (wantsMelody || found.length > 0),
  });
  const moving = useLineCorrection(id, found, duration - DURATION_TOLERANCE_SECONDS);
  const { shown } = moving;
  const lines = useMemo(() => (melody ? getTimedLines(melody) : NONE), [melody]);
  const passages = useMemo(
    () => buildSungPassages(melody?.melodyText ?? '', lines, shown),
    [melody, lines, shown],
  );
  return {
    /** Lines of the melody; empty until they are loaded. */
    lines,
    /** Lines found in the recording; empty if none are known. */
    passages,
    moving,
    isWorking: data?.state === 'working',
  };
}
