import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call, type CallError, sentenceOf } from '../../../platform/web/call.ts';
import { toast } from '../../../platform/web/toasts.ts';
import { examined } from './examined-sound.ts';
import type { MelodyFiles, TypedMelody } from './new-melody.ts';

type Given = { typed: TypedMelody; files: MelodyFiles };
type Outcome = { onAdded: () => void; onRefused: (error: CallError) => void };

/** Sends a new melody; `fraction` is how much of it has left, 0 to 1. */
export function useAddMelody({ onAdded, onRefused }: Outcome) {
  const [fraction, setFraction] = useState(0);
  const add = useMutation({
    mutationFn: async ({ typed, files }: Given) => {
      setFraction(0);
      const peaks = files.audioFile ? (await examined(files.audioFile)).peaks : null;
      return call('POST /api/melodies', {
        form: { ...typed, ...files, ...(peaks ? { peaks } : {}) },
        onProgress: setFraction,
      });
    },
    meta: { refreshes: ['/api/melodies'] },
    onSuccess: () => {
      onAdded();
      toast({
        title: 'Melody added successfully',
        description: 'The new melody has been added to the library.',
      });
    },
    onError: (error) => {
      onRefused(error);
      toast({
        title: 'Failed to add melody',
        description: sentenceOf(error, 'Please try again.'),
        variant: 'destructive',
      });
    },
  });
  useWarningBeforeLeaving(add.isPending);
  return { ...add, fraction };
}

function useWarningBeforeLeaving(isNeeded: boolean) {
  useEffect(() => {
    if (!isNeeded) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isNeeded]);
}
