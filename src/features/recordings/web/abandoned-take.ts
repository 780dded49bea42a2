import { useEffect, useState } from 'react';
import type { ChosenAudio } from '../../../platform/web/audio-ui/upload/chosen-audio.ts';
import { keptAudio } from '../../../platform/web/audio-ui/upload/kept-audio.ts';
import type { StoredRecording } from '../../../platform/web/takes/stored-recording.ts';
import { notHeld } from '../../../platform/web/takes/take-locks.ts';
import { takeStore, useTakes } from '../../../platform/web/takes/use-takes.ts';
import { RECORDING } from './queue.ts';

export type AbandonedTake = ChosenAudio & { kept: StoredRecording };

/**
 * The user's oldest recording on this device that was neither submitted nor discarded, and that no open tab is using:
 * left behind by a closed tab, a crash or a lost session.
 * @param wanted the id of one that goes before the others
 * @returns the recording, null if there is none (yet); and a function that stops showing it
 */
export function useAbandonedTake(isLooking: boolean, wanted: string | null = null) {
  const takes = useTakes(RECORDING);
  const [found, setFound] = useState<AbandonedTake | null>(null);
  const visits = useVisits();
  useEffect(() => {
    let isHere = true;
    const unsent = (takes ?? [])
      .filter(({ state }) => state === 'recording' || state === 'recorded')
      .sort((a, b) => Number(b.id === wanted) - Number(a.id === wanted));
    const look = async () => {
      const free = await notHeld(unsent.map(({ id }) => id));
      for (const kept of unsent.filter(({ id }) => free.has(id))) {
        const audio = await keptAudio(takeStore(), kept);
        if (audio) return audio;
      }
      return null;
    };
    if (isLooking)
      look().then(
        (audio) => isHere && setFound(audio),
        () => undefined,
      );
    return () => {
      isHere = false;
    };
  }, [takes, isLooking, visits, wanted]);
  const leave = (left: AbandonedTake) => setFound((shown) => (shown === left ? null : shown));
  return [found, leave] as const;
}

/** Counts returns to this tab: another tab may have taken or left a recording meanwhile, without notice. */
function useVisits() {
  const [visits, setVisits] = useState(0);
  useEffect(() => {
    const count = () => setVisits((before) => before + 1);
    addEventListener('focus', count);
    return () => removeEventListener('focus', count);
  }, []);
  return visits;
}
