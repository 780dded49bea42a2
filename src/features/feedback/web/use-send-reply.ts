import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChosenAudio } from '../../../platform/web/audio-ui/audio-source.tsx';
import { call } from '../../../platform/web/call.ts';
import { queryClient } from '../../../platform/web/query-client.ts';
import { toast } from '../../../platform/web/toasts.ts';
import type { Recording } from '../../recordings/contract.ts';

export const SEND_FAILED = 'Failed to send feedback. Please try again.';

export type Reply = { text: string; audio: ChosenAudio | null };

/** Sends the reply to one recording; `fraction` is how much of it has left, 0 to 1. */
export function useSendReply(recordingId: number, onSent: () => void) {
  const [clientId] = useState(newId);
  const [fraction, setFraction] = useState(0);
  const sending = useMutation({
    mutationFn: ({ text, audio }: Reply) => {
      setFraction(0);
      return call('POST /api/feedback', {
        form: {
          recordingId,
          clientId,
          ...(text.trim() === '' ? {} : { writtenFeedback: text }),
          ...(audio ? { audioFeedback: { blob: audio.blob, name: audio.name } } : {}),
          ...(audio?.peaks ? { peaks: audio.peaks } : {}),
        },
        onProgress: setFraction,
      });
    },
    meta: {
      refreshes: ['/api/recordings/pending', '/api/admin/pending-recordings', '/api/admin/feedback'],
    },
    onSuccess: (sent, { text }) => {
      onSent();
      takeOut(recordingId);
      toast({ title: 'Feedback sent successfully!', description: differenceTo(text, sent.writtenFeedback) });
    },
    onError: () => toast({ title: SEND_FAILED, variant: 'destructive' }),
  });
  return { ...sending, fraction };
}

/** The card leaves at once; what else has come meanwhile arrives with the refresh. */
const takeOut = (recordingId: number) =>
  queryClient.setQueryData<Recording[]>(['/api/recordings/pending'], (before) =>
    before?.filter(({ id }) => id !== recordingId),
  );

// The answer to an earlier try can be lost on a poor line; then the same id brings back what had arrived.
const differenceTo = (text: string, kept: string | null) =>
  text.trim() === (kept ?? '').trim()
    ? undefined
    : 'An earlier try had arrived already, and was kept as it was written then.';

function newId() {
  // randomUUID is missing on pages that are not secure.
  if (isSecureContext) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
