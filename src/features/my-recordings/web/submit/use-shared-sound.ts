import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { toast } from '#web/ui/toasts.ts';
import { FILE_TOO_LARGE } from '#features/recordings/limits.ts';
import { SHARE_PATH, SHARED_PARAMETER } from '#features/recordings/sharing.ts';
import { forgetShared, sharedSound } from './shared-sound.ts';

type Problem = { title: string; description: string };

export type SharedSound = {
  /** The sound with which another app has opened the page; null if none has. */
  sound: Promise<File | null> | null;
  /** The same sound, once it has been read, if another website has posted it. */
  fromOutside: File | null;
  /** Why there is no sound. */
  problem: Problem | null;
};

export function useSharedSound(userId: string): SharedSound {
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const [outcome] = useState(() => search.get(SHARED_PARAMETER));
  const refusal = REFUSALS[outcome ?? ''] ?? null;
  const [sound] = useState(() => (outcome !== null && !refusal ? sharedSound(userId) : null));
  const [fromOutside, setFromOutside] = useState<File | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const fail = (failed: Problem) => {
      setProblem(failed);
      toast({ ...failed, variant: 'destructive' });
    };
    navigate(SHARE_PATH, { replace: true });
    if (refusal) return fail(refusal);
    void sound?.then((found) => {
      if (!found) return fail(NOTHING_CAME);
      void forgetShared();
      if (outcome === 'outside') setFromOutside(found);
    });
  }, [sound]); // oxlint-disable-line react/exhaustive-deps
  return { sound, fromOutside, problem };
}

const NOTHING_CAME = {
  title: 'Nothing was shared',
  description: 'We didn’t receive the audio. Share it again, or choose the file here.',
};

const REFUSALS: Record<string, Problem> = {
  'too-large': {
    title: 'File Too Large',
    description: `${FILE_TOO_LARGE} Your file is still in the app you shared it from.`,
  },
  'signed-out': {
    title: 'Nothing was shared',
    description: 'You weren’t signed in. Please share the audio again now.',
  },
};
