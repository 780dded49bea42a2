import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { lastPractised, type Practised } from '../../../platform/web/player/practice.ts';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { useTakes } from '../../../platform/web/takes/use-takes.ts';
import { todayQuery } from '../../chosen-melodies/web/chosen-lists.ts';
import type { TodaysMelody } from '../../chosen-melodies/contract.ts';
import type { Melody, MelodyDetail } from '../../melodies/contract.ts';
import { passagesOf, startOf } from '../../melodies/sung-text/timings.ts';
import { sungLinesOf } from '../../melodies/sung-text/parse.ts';
import { RECORDING } from '../../recordings/web/queue.ts';
import type { RecordingSending } from '../../recordings/web/sending.ts';

/** What a student left off with. Of what could not be loaded there is nothing. */
export type Returning = {
  continuing: { practised: Practised; melody: MelodyDetail | null } | null;
  answered: { count: number; recordingId: number; title: string; marks: number; createdAt: string } | null;
  /** On this device, not yet with the teacher. */
  sending: { count: number; title: string };
  /** With the teacher, not yet answered. */
  waiting: { count: number; title: string | null };
  today: readonly TodaysMelody[];
};

/** Null until all of it is known, so that nothing moves once it is shown. It comes with the page, or from the device. */
export function useReturning(): Returning | null {
  const newest = useQuery(apiQuery('GET /api/feedback/newest-unread'));
  const unread = useQuery(apiQuery('GET /api/feedback/unread-count'));
  const waiting = useQuery(apiQuery('GET /api/student/recordings/waiting'));
  const today = useQuery(todayQuery);
  const takes = useTakes(RECORDING);
  const continuing = useContinuing();
  if (!takes || [newest, unread, waiting, today].some(({ isPending }) => isPending)) return null;
  const unsent = takes.filter(({ state }) => state === 'queued' || state === 'refused');
  const found = newest.data?.newest;
  return {
    continuing,
    answered: found ? { ...found, count: Math.max(1, unread.data?.count ?? 1) } : null,
    sending: {
      count: unsent.length,
      title: (unsent.at(-1)?.sending as RecordingSending | null | undefined)?.title ?? '',
    },
    waiting: waiting.data ?? { count: 0, title: null },
    today: today.data ?? [],
  };
}

/** The melody itself is asked for, which the player needs next anyway; one that may not be heard any more is none. */
function useContinuing() {
  const [practised] = useState(() => lastPractised()[0]);
  const { data, error } = useQuery({
    ...apiQuery('GET /api/melodies/{id}', { params: { id: practised?.melodyId ?? 0 } }),
    enabled: practised !== undefined,
  });
  const isRefused = error !== null && [403, 404].includes(error.status);
  return practised && !isRefused ? { practised, melody: data ?? null } : null;
}

/** Where the player begins, if the sung line has a time. */
export function startOfLine(
  { melodyText, timings }: Pick<MelodyDetail, 'timings'> & Pick<Melody, 'melodyText'>,
  line: number,
) {
  return startOf(passagesOf(sungLinesOf(melodyText ?? ''), timings), line);
}
