import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { readLocalStorageJson, writeLocalStorage } from '#web/device/local-storage.ts';
import { CONTINUE_MELODY_KEY_PREFIX } from '#web/offline/clear-device-data.ts';
import {
  listLastPractisedMelodies,
  type PractisedMelodyRecord,
} from '#features/practice/web/engine/practice-settings.ts';
import { createApiQuery, queryClient } from '#web/api/query-client.ts';
import { useUser } from '#web/api/session.ts';
import { useTakes } from '#features/recordings/web/takes/use-takes.ts';
import { todaysListQuery } from '#features/melodies/favourites/web/use-chosen-melodies.ts';
import type { TodaysMelody } from '#features/melodies/favourites/contract.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { SUBMISSION_PURPOSE } from '#features/recordings/web/queue-recording.ts';
import type { RecordingFields } from '#features/recordings/web/commit-take.ts';

/** Content of a student's home page. Parts that could not be loaded are empty. */
export type StudentHomeContent = {
  continuing: { practised: PractisedMelodyRecord; melody: MelodyDetail | null; title: string | null } | null;
  newFeedback: { count: number; recordingId: number; title: string; marks: number; createdAt: string } | null;
  /** Number of unanswered questions from the teacher. */
  openQuestions: number;
  /** Recordings still on this device, not yet sent to the teacher. */
  sending: { count: number; title: string };
  /** Recordings sent to the teacher but not yet answered. */
  waiting: { count: number; title: string | null };
  today: readonly TodaysMelody[];
};

/**
 * Returns the content of the home page; null until everything except the melody to continue is loaded, so
 * that the layout doesn't shift. Loading is quick, because the data comes with the page or from the device.
 * The title of the melody to continue is stored on the device.
 */
export function useStudentHomeContent(): StudentHomeContent | null {
  const newest = useQuery(createApiQuery('GET /api/feedback/newest-unread'));
  const unread = useQuery(createApiQuery('GET /api/feedback/unread-count'));
  const questions = useQuery(createApiQuery('GET /api/agreements/waiting'));
  const waiting = useQuery(createApiQuery('GET /api/student/recordings/waiting'));
  const today = useQuery(todaysListQuery);
  const takes = useTakes(SUBMISSION_PURPOSE);
  const continuing = useMelodyToContinue();
  useEffect(() => {
    // Refetches failed queries when the device is online again, because `refetchOnReconnect` is off.
    const tryAgain = () =>
      void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    addEventListener('online', tryAgain);
    return () => removeEventListener('online', tryAgain);
  }, []);
  if (!takes || [newest, unread, questions, waiting, today].some(({ isPending }) => isPending)) return null;
  const unsent = takes.filter(({ state }) => state === 'queued' || state === 'refused');
  const found = newest.data?.newest;
  return {
    continuing,
    newFeedback: found ? { ...found, count: Math.max(1, unread.data?.count ?? 1) } : null,
    openQuestions: questions.data?.count ?? 0,
    sending: {
      count: unsent.length,
      title: (unsent.at(-1)?.sending as RecordingFields | null | undefined)?.title ?? '',
    },
    waiting: waiting.data ?? { count: 0, title: null },
    today: today.data ?? [],
  };
}

/**
 * Returns the melody that the student practised last, or null if there is none or the student may no longer
 * hear it. Fetches the whole melody, because the player needs it next anyway.
 */
function useMelodyToContinue() {
  const { id: userId } = useUser();
  const [practised] = useState(() => listLastPractisedMelodies()[0]);
  const { data, error } = useQuery({
    ...createApiQuery('GET /api/melodies/{id}', { params: { id: practised?.melodyId ?? 0 } }),
    enabled: practised !== undefined,
  });
  const isDenied = error !== null && [403, 404].includes(error.status);
  const [known] = useState(() => loadTitle(userId));
  const title = data?.title;
  useEffect(() => {
    if (title !== undefined) saveTitle(userId, { melodyId: practised!.melodyId, title });
    else if (isDenied) saveTitle(userId, null);
  }, [userId, practised, title, isDenied]);
  if (!practised || isDenied) return null;
  return {
    practised,
    melody: data ?? null,
    title: title ?? (known?.melodyId === practised.melodyId ? known.title : null),
  };
}

/** Title stored on the device, so that the first render can show it and reserve the right amount of space. */
type StoredTitle = { melodyId: number; title: string };

function loadTitle(userId: string): StoredTitle | null {
  const storedTitle = readLocalStorageJson(getStorageKey(userId)) as Partial<StoredTitle> | null;
  return typeof storedTitle?.melodyId === 'number' && typeof storedTitle.title === 'string'
    ? (storedTitle as StoredTitle)
    : null;
}

const saveTitle = (userId: string, known: StoredTitle | null) =>
  writeLocalStorage(getStorageKey(userId), known && JSON.stringify(known));

const getStorageKey = (userId: string) => CONTINUE_MELODY_KEY_PREFIX + userId;
