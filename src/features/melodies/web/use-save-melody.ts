import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call, type CallError, sentenceOf } from '../../../platform/web/call.ts';
import { refresh } from '../../../platform/web/query-client.ts';
import { toast } from '../../../platform/web/toasts.ts';
import type { Melody, MelodyDetail } from '../contract.ts';
import { examined } from './examined-sound.ts';
import { changedIn, type FileChoice, type MelodyFiles, type TypedMelody, typedOf } from './typed-melody.ts';

type Given = { typed: TypedMelody; files: MelodyFiles };
/** As the server answers: one that was changed in full. */
export type SavedMelody = Melody & Partial<MelodyDetail>;
type Outcome = { onSaved: (melody: SavedMelody) => void; onRefused: (error: CallError) => void };

export const FAILED_TO_UPDATE = 'Failed to update melody';
export const failedTo = (melody: Melody | null) =>
  melody === null ? 'Failed to add melody' : FAILED_TO_UPDATE;

const ADDED = {
  title: 'Melody added successfully',
  description: 'The new melody has been added to the library.',
};
const UPDATED = { title: 'Melody updated successfully' };

/**
 * Sends a new melody, or what was changed in one; `fraction` is how much of it has left, 0 to 1. Sending stops when
 * the form goes.
 */
export function useSaveMelody(melody: Melody | null, { onSaved, onRefused }: Outcome) {
  const [fraction, setFraction] = useState(0);
  const sending = useRef<AbortController>(null);
  const save = useMutation<SavedMelody, CallError, Given>({
    mutationFn: async ({ typed, files }) => {
      setFraction(0);
      sending.current = new AbortController();
      const carrying = { onProgress: setFraction, signal: sending.current.signal };
      const sent = await sentFiles(files);
      if (melody === null) return call('POST /api/melodies', { form: { ...typed, ...sent }, ...carrying });
      return call('PUT /api/melodies/{id}', {
        params: { id: melody.id },
        form: { ...changedIn(typed, typedOf(melody)), ...sent, ...removedIn(files) },
        ...carrying,
      });
    },
    // A level's count of melodies too.
    meta: { refreshes: ['/api/melodies', '/api/admin/transmission-levels'] },
    onSuccess: (saved) => {
      onSaved(saved);
      toast(melody === null ? ADDED : UPDATED);
    },
    onError: (error) => {
      // It may have arrived all the same.
      if (sending.current?.signal.aborted) return refresh(['/api/melodies']);
      onRefused(error);
      const description = sentenceOf(error, 'Please try again.');
      toast({ title: failedTo(melody), description, variant: 'destructive' });
    },
  });
  useEffect(() => () => sending.current?.abort(), []);
  return { ...save, fraction };
}

async function sentFiles({ thumbnail, audioFile }: MelodyFiles) {
  const sound = fileIn(audioFile);
  const peaks = sound ? (await examined(sound)).peaks : null;
  return { thumbnail: fileIn(thumbnail), audioFile: sound, ...(peaks ? { peaks } : {}) };
}

const removedIn = ({ thumbnail, audioFile }: MelodyFiles) => ({
  ...(thumbnail === 'removed' ? { removeThumbnail: 'true' as const } : {}),
  ...(audioFile === 'removed' ? { removeAudio: 'true' as const } : {}),
});

const fileIn = (choice: FileChoice) => (choice instanceof File ? choice : null);
