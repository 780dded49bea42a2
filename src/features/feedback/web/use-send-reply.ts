import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ChosenAudio } from '../../../platform/web/audio-ui/chosen-audio.ts';
import { call, sentenceOf } from '../../../platform/web/call.ts';
import { keepText, keptText } from '../../../platform/web/kept-text.ts';
import { queryClient, refresh } from '../../../platform/web/query-client.ts';
import { useUser } from '../../../platform/web/session.ts';
import { newId } from '../../../platform/web/takes/new-id.ts';
import { toast } from '../../../platform/web/toasts.ts';
import type { Feedback } from '../contract.ts';
import { inOrder, writtenFrom } from '../marks.ts';
import type { Recording } from '../../recordings/contract.ts';
import type { Written } from './draft.ts';
import { bringSound, useProgress } from './bring-sound.ts';

export const SEND_FAILED = 'Failed to send feedback. Please try again.';

export type Reply = Written & { audio: ChosenAudio | null };

/** Sends the reply to one recording: its sound in pieces first, then all of it in one call. */
export function useSendReply(recordingId: number) {
  const userId = useUser().id;
  const progress = useProgress();
  const isUnderWay = useRef(false);
  const [wasStopped, setWasStopped] = useState(false);
  const sending = useMutation({
    mutationFn: async ({ text, marks, audio }: Reply) => {
      const uploadId = audio && (await bringSound(audio, progress));
      return call('POST /api/feedback', {
        form: {
          recordingId,
          clientId: clientIdOf(userId, recordingId),
          ...(text.trim() === '' ? {} : { writtenFeedback: text }),
          ...(marks.length === 0 ? {} : { marks: JSON.stringify(inOrder(marks)) }),
          ...(uploadId ? { uploadId } : {}),
          ...(audio?.peaks ? { peaks: audio.peaks } : {}),
        },
      });
    },
    meta: {
      refreshes: ['/api/recordings', '/api/admin/pending-recordings', '/api/admin/feedback'],
    },
    onSuccess: (sent, reply) => {
      keepText(userId, idPlace(recordingId), '');
      takeOut(recordingId);
      toast({ title: 'Feedback sent successfully!', description: differenceTo(reply, sent) });
    },
    onError: (error) => {
      if (progress.wasStopped()) return setWasStopped(true);
      // Answered elsewhere, or withdrawn: the card says so once it is known to wait no more.
      if (error.status === 409 || error.status === 404)
        refresh(['/api/recordings/pending', '/api/admin/pending-recordings']);
      toast({
        title: SEND_FAILED,
        description: sentenceOf(error, 'It is kept here.'),
        variant: 'destructive',
      });
    },
  });

  /** @returns what was sent; null when it did not go out, or is on its way already */
  async function send(reply: Reply): Promise<Feedback | null> {
    if (isUnderWay.current) return null;
    isUnderWay.current = true;
    setWasStopped(false);
    try {
      return await sending.mutateAsync(reply);
    } catch {
      return null;
    } finally {
      isUnderWay.current = false;
    }
  }

  return {
    send,
    isPending: sending.isPending,
    isSent: sending.isSuccess,
    error: wasStopped ? null : sending.error,
    wasStopped,
    progress,
  };
}

const idPlace = (recordingId: number) => `reply id ${recordingId}`;

/** The same for one recording on this device, so that two tabs, or a try after a lost answer, make one feedback. */
function clientIdOf(userId: string, recordingId: number) {
  const known = keptText(userId, idPlace(recordingId));
  if (known) return known;
  const made = pageIds.get(recordingId) ?? newId();
  pageIds.set(recordingId, made);
  keepText(userId, idPlace(recordingId), made);
  return made;
}

/** Where the browser keeps nothing, the page remembers. */
const pageIds = new Map<number, string>();

/** The card leaves at once; what else has come meanwhile arrives with the refresh. */
const takeOut = (recordingId: number) =>
  queryClient.setQueryData<Recording[]>(['/api/recordings/pending'], (before) =>
    before?.filter(({ id }) => id !== recordingId),
  );

// The answer to an earlier try can be lost on a poor line; then the same id brings back what had arrived.
function differenceTo({ text, marks }: Reply, sent: Feedback) {
  const written = text.trim() || writtenFrom(inOrder(marks));
  return written === (sent.writtenFeedback ?? '').trim()
    ? undefined
    : 'An earlier try had arrived already, and was kept as it was written then.';
}
