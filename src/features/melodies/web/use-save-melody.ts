import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { callApi, type CallError, getErrorMessage } from '#web/api/call.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { toast } from '#web/ui/toasts.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import type { FormUploadFile } from '#web/uploads/form-upload.ts';
import { useUpload } from '#web/uploads/use-upload.ts';
import type { LineTiming, Melody, MelodyDetail } from '../contract.ts';
import { melodyAudioSlot, melodyThumbnailSlot } from '../limits.ts';
import { measureSound } from './measured-sound.ts';
import {
  getChangedMelodyFields,
  type FileChoice,
  type MelodyFileChoices,
  type MelodyFormValues,
  toMelodyFormValues,
} from './melody-form-values.ts';

type SaveInput = {
  typed: MelodyFormValues;
  files: MelodyFileChoices;
  /** Times from an LRC file; null to keep the current times. */
  timings: readonly LineTiming[] | null;
};
/** Melody as the server returns it. Only the response to a change includes the details. */
export type SavedMelody = Melody & Partial<MelodyDetail>;
type SaveCallbacks = { onSaved: (melody: SavedMelody) => void; onRefused: (error: CallError) => void };

export const UPDATE_MELODY_FAILED_MESSAGE = 'Failed to update melody';
export const getSaveMelodyFailureTitle = (melody: Melody | null) =>
  melody === null ? 'Failed to add melody' : UPDATE_MELODY_FAILED_MESSAGE;

const ADDED = {
  title: 'Melody added successfully',
  description: 'The new melody has been added to the library.',
};
const UPDATED = { title: 'Melody updated successfully' };

/**
 * Returns a mutation that saves a new melody or the changes to an existing one. It first sends the files as
 * resumable uploads, then the fields in one call. Closing the form aborts the mutation.
 */
export function useSaveMelody(melody: Melody | null, { onSaved, onRefused }: SaveCallbacks) {
  const upload = useUpload();
  // Idempotency key. Changes only when the content changes, so that a retry after a lost response doesn't add a
  // second melody.
  const last = useRef({ sent: '', clientId: '' });
  const clientIdFor = (given: unknown) => {
    const sent = JSON.stringify(given);
    if (last.current.sent !== sent) last.current = { sent, clientId: createUuid() };
    return last.current.clientId;
  };
  const save = useMutation<SavedMelody, CallError, SaveInput>({
    mutationFn: ({ typed, files, timings }) => {
      const { thumbnail, audioFile } = files;
      const sent = [
        ...toUploadFiles(thumbnail, melodyThumbnailSlot.name),
        ...toUploadFiles(audioFile, melodyAudioSlot.name),
      ];
      return upload.send(sent, async (uploadIds, signal) => {
        const peaks = audioFile instanceof File ? (await measureSound(audioFile)).peaks : null;
        const idOf = (choice: FileChoice) => uploadIds[sent.findIndex(({ blob }) => blob === choice)];
        const uploadFields = {
          thumbnailUploadId: idOf(thumbnail),
          audioUploadId: idOf(audioFile),
          ...(peaks ? { peaks } : {}),
          ...(timings ? { timings: JSON.stringify(timings) } : {}),
        };
        const texts = melody === null ? typed : getChangedMelodyFields(typed, toMelodyFormValues(melody));
        const given = { ...texts, ...uploadFields, ...getRemovedFields(files) };
        const clientId = clientIdFor(given);
        return melody === null
          ? callApi('POST /api/melodies', { form: { ...typed, ...uploadFields, clientId }, signal })
          : callApi('PUT /api/melodies/{id}', {
              params: { id: melody.id },
              form: { ...given, clientId },
              signal,
            });
      });
    },
    // Refreshes the levels too, because the number of melodies in each may change.
    meta: { refreshes: ['/api/melodies', '/api/admin/transmission-levels'] },
    onSuccess: (saved) => {
      onSaved(saved);
      toast(melody === null ? ADDED : UPDATED);
    },
    onError: (error) => {
      // Refetches the library, because the server may have saved the melody before the call was aborted.
      if (error.name === 'AbortError') return refreshQueries(['/api/melodies']);
      onRefused(error);
      const description = getErrorMessage(error, 'Please try again.');
      toast({ title: getSaveMelodyFailureTitle(melody), description, variant: 'destructive' });
    },
  });
  return { ...save, error: upload.wasStopped() ? null : save.error, upload };
}

const getRemovedFields = ({ thumbnail, audioFile }: MelodyFileChoices) => ({
  ...(thumbnail === 'removed' ? { removeThumbnail: 'true' as const } : {}),
  ...(audioFile === 'removed' ? { removeAudio: 'true' as const } : {}),
});

const toUploadFiles = (choice: FileChoice, slot: FormUploadFile['slot']): FormUploadFile[] =>
  choice instanceof File ? [{ blob: choice, slot }] : [];
