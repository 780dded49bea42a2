import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readLocalJson, writeLocal } from '#web/device/local-storage.ts';
import { CONTINUE_KEY } from '#web/offline/forget-device.ts';
import { lastPractised, type Practised } from '#features/practice/web/engine/practice.ts';
import { apiQuery, queryClient } from '#web/api/query-client.ts';
import { useUser } from '#web/api/session.ts';
import { useTakes } from '#features/recordings/web/takes/use-takes.ts';
import { todayQuery } from '#features/melodies/favourites/web/use-chosen.ts';
import type { TodaysMelody } from '#features/melodies/favourites/contract.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { RECORDING } from '#features/recordings/web/queue.ts';
import type { RecordingSending } from '#features/recordings/web/commit-take.ts';

/** Content of a student's home page. Parts that could not be loaded are empty. */
export type Returning = {
  continuing: { practised: Practised; melody: MelodyDetail | null; title: string | null } | null;
  answered: { count: number; recordingId: number; title: string; marks: number; createdAt: string } | null;
  /** Number of unanswered questions from the teacher. */
  asked: number;
  /** Recordings still on this device, not yet sent to the teacher. */
  sending: { count: number; title: string };
  /** Recordings sent to the teacher but not yet answered. */
  waiting: { count: number; title: string | null };
  today: readonly TodaysMelody[];
};

/**
 * Returns null until everything is loaded, so that the layout doesn't shift. The data comes with the page or
 * from the device.
 */
export function useReturning(): Returning | null {
  const newest = useQuery(apiQuery('GET /api/feedback/newest-unread'));
  const unread = useQuery(apiQuery('GET /api/feedback/unread-count'));
  const asked = useQuery(apiQuery('GET /api/agreements/waiting'));
  const waiting = useQuery(apiQuery('GET /api/student/recordings/waiting'));
  const today = useQuery(todayQuery);
  const takes = useTakes(RECORDING);
  const continuing = useContinuing();
  useEffect(() => {
    // Queries are not refetched automatically, so those that failed offline would stay empty.
    const tryAgain = () =>
      void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    addEventListener('online', tryAgain);
    return () => removeEventListener('online', tryAgain);
  }, []);
  if (!takes || [newest, unread, asked, waiting, today].some(({ isPending }) => isPending)) return null;
  const unsent = takes.filter(({ state }) => state === 'queued' || state === 'refused');
  const found = newest.data?.newest;
  return {
    continuing,
    answered: found ? { ...found, count: Math.max(1, unread.data?.count ?? 1) } : null,
    asked: asked.data?.count ?? 0,
    sending: {
      count: unsent.length,
      title: (unsent.at(-1)?.sending as RecordingSending | null | undefined)?.title ?? '',
    },
    waiting: waiting.data ?? { count: 0, title: null },
    today: today.data ?? [],
  };
}

/**
 * Fetches the whole melody, because the player needs it next anyway. Returns null if the student may no
 * longer hear it.
 */
function useContinuing() {
  const { id: userId } = useUser();
  const [practised] = useState(() => lastPractised()[0]);
  const { data, error } = useQuery({
    ...apiQuery('GET /api/melodies/{id}', { params: { id: practised?.melodyId ?? 0 } }),
    enabled: practised !== undefined,
  });
  const isRefused = error !== null && [403, 404].includes(error.status);
  const [known] = useState(() => knownTitle(userId));
  const title = data?.title;
  useEffect(() => {
    if (title !== undefined) keepTitle(userId, { melodyId: practised!.melodyId, title });
    else if (isRefused) keepTitle(userId, null);
  }, [userId, practised, title, isRefused]);
  if (!practised || isRefused) return null;
  return {
    practised,
    melody: data ?? null,
    title: title ?? (known?.melodyId === practised.melodyId ? known.title : null),
  };
}

/** Title stored on the device, so that the first render can show it and reserves the right amount of space. */
type Known = { melodyId: number; title: string };

function knownTitle(userId: string): Known | null {
  const kept = readLocalJson(keyOf(userId)) as Partial<Known> | null;
  return typeof kept?.melodyId === 'number' && typeof kept.title === 'string' ? (kept as Known) : null;
}

const keepTitle = (userId: string, known: Known | null) =>
  writeLocal(keyOf(userId), known && JSON.stringify(known));

const keyOf = (userId: string) => CONTINUE_KEY + userId;
