import { useEffect, useState } from 'react';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { findUnlockedTakes } from '#features/recordings/web/takes/take-locks.ts';
import { useTakes } from '#features/recordings/web/takes/use-takes.ts';
import { SUBMISSION_PURPOSE } from '#features/recordings/web/queue-recording.ts';

/**
 * Finds the user's oldest recording on this device that was neither submitted nor discarded, and that no open
 * tab is using: left behind by a closed tab, a crash or a lost session.
 * @param read loads a recording, or returns null if it has no audio; must be the same function on every render
 * @param wanted the id of a recording that takes precedence
 * @returns the result of `read` (null if there is no such recording, undefined while searching), and a function
 * that stops showing it
 */
export function useAbandonedTake<T>(
  isLooking: boolean,
  read: (kept: StoredRecording) => Promise<T | null>,
  wanted: string | null = null,
) {
  const takes = useTakes(SUBMISSION_PURPOSE);
  const [found, setFound] = useState<T | null>();
  const visits = useTabReturnCount();
  useEffect(() => {
    let isHere = true;
    if (!takes) return;
    const unsent = takes
      .filter(({ state }) => state === 'recording' || state === 'recorded')
      .sort((a, b) => Number(b.id === wanted) - Number(a.id === wanted));
    const look = async () => {
      const free = await findUnlockedTakes(unsent.map(({ id }) => id));
      for (const kept of unsent.filter(({ id }) => free.has(id))) {
        const take = await read(kept);
        if (take !== null) return take;
      }
      return null;
    };
    if (isLooking)
      look().then(
        (take) => isHere && setFound(() => take),
        () => isHere && setFound((before) => before ?? null),
      );
    return () => {
      isHere = false;
    };
  }, [takes, isLooking, visits, read, wanted]);
  const leave = (left: T) => setFound((shown) => (shown === left ? null : shown));
  return [found, leave] as const;
}

/**
 * Counts returns to this tab, because another tab may have opened or abandoned a recording without notifying
 * this one.
 */
function useTabReturnCount() {
  const [visits, setVisits] = useState(0);
  useEffect(() => {
    const count = () => setVisits((before) => before + 1);
    addEventListener('focus', count);
    return () => removeEventListener('focus', count);
  }, []);
  return visits;
}
