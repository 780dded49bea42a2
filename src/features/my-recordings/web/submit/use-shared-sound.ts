import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { toast } from '#web/ui/toasts.ts';
import { RECORDING_FILE_TOO_LARGE_MESSAGE } from '#features/recordings/limits.ts';
import { SHARE_TARGET_PATH, SHARE_OUTCOME_PARAMETER } from '#features/recordings/share-target.ts';
import { deleteSharedSound, readSharedSound } from './shared-sound.ts';

type SharedSoundProblem = { title: string; description: string };

export type SharedSound = {
  /**
   * Audio that another app shared with this page. Null if the page was not opened by sharing, or if the audio
   * was refused. The promise resolves to null if no audio is stored for this user or it can't be read.
   */
  sound: Promise<File | null> | null;
  /** The shared audio if another website posted it and it has been read; otherwise null. */
  fromOutside: File | null;
  /** Reason that no audio was received; null if some was received, or if this page was not opened by sharing. */
  problem: SharedSoundProblem | null;
};

export function useSharedSound(userId: string): SharedSound {
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const [outcome] = useState(() => search.get(SHARE_OUTCOME_PARAMETER));
  const refusal = problemMessages[outcome ?? ''] ?? null;
  const [sound] = useState(() => (outcome !== null && !refusal ? readSharedSound(userId) : null));
  const [fromOutside, setFromOutside] = useState<File | null>(null);
  const [problem, setProblem] = useState<SharedSoundProblem | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const fail = (failed: SharedSoundProblem) => {
      setProblem(failed);
      toast({ ...failed, variant: 'destructive' });
    };
    navigate(SHARE_TARGET_PATH, { replace: true });
    if (refusal) return fail(refusal);
    void sound?.then((found) => {
      if (!found) return fail(NOTHING_SHARED);
      void deleteSharedSound();
      if (outcome === 'outside') setFromOutside(found);
    });
  }, [sound]); // oxlint-disable-line react/exhaustive-deps
  return { sound, fromOutside, problem };
}

const NOTHING_SHARED = {
  title: 'The audio didn’t arrive',
  description: 'Please share it again, or choose the file here.',
};

const problemMessages: Record<string, SharedSoundProblem> = {
  'too-large': {
    title: 'File Too Large',
    description: `${RECORDING_FILE_TOO_LARGE_MESSAGE} Your file is still in the app you shared it from.`,
  },
  'signed-out': {
    title: 'The audio didn’t arrive',
    description: 'You weren’t signed in. Please share the audio again now.',
  },
};
