import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { toast } from '../../../platform/web/toasts.ts';
import { SHARE_PATH } from '../sharing.ts';
import { forgetShared, sharedSound } from './shared-sound.ts';

/** The sound with which another app has opened the page; null where none has. */
export function useSharedSound(): Promise<File | null> | null {
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const [sound] = useState(() => (search.has('shared') ? sharedSound() : null));
  useEffect(() => {
    void sound?.then((found) => {
      navigate(SHARE_PATH, { replace: true });
      if (found) void forgetShared();
      else toast(NOTHING_CAME);
    });
  }, [sound]); // oxlint-disable-line react/exhaustive-deps
  return sound;
}

const NOTHING_CAME = {
  title: 'Nothing Was Shared',
  description: 'The sound did not come along. Please share it once more, or choose the file here.',
  variant: 'destructive',
} as const;
