import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ChosenAudio } from '../../../../platform/web/audio-ui/upload/chosen-audio.ts';
import { CallError, sentenceOf } from '../../../../platform/web/call.ts';
import { takeOutOfPages } from '../../../../platform/web/pages.ts';
import { refresh } from '../../../../platform/web/query-client.ts';
import { useUser } from '../../../../platform/web/session.ts';
import { toast } from '../../../../platform/web/toasts.ts';
import { useUpload } from '../../../../platform/web/uploads/use-upload.ts';
import { spokenFile } from '../spoken-file.ts';
import type { Written } from '../draft/draft.ts';
import { forgetAttempts } from './send-attempts.ts';
import { sendReply, type Sent } from './send-reply.ts';

export const SEND_FAILED = 'Failed to send feedback. Please try again.';

export type Reply = Written & { audio: ChosenAudio | null };

/** Sends the reply to one recording: first its sound in chunks, then everything in one call. */
export function useSendReply(recordingId: number) {
  const userId = useUser().id;
  const upload = useUpload();
  const isSending = useRef(false);
  const sending = useMutation({
    mutationFn: ({ text, marks, audio }: Reply) =>
      upload.send(spokenFile(audio), ([sound = null]) =>
        sendReply({ userId, recordingId }, { text, marks, sound, peaks: audio?.peaks ?? null }),
      ),
    meta: {
      refreshes: ['/api/recordings', '/api/admin/pending-recordings', '/api/admin/feedback'],
    },
    onSuccess: (sent) => {
      forgetAttempts(userId, recordingId);
      // At once, without waiting for the refresh.
      takeOutOfPages('/api/recordings/pending', recordingId);
      toast({ title: 'Feedback sent successfully!', description: noteOn(sent) });
    },
    onError: (error: Error) => {
      if (upload.wasStopped()) return;
      // Answered elsewhere, or withdrawn: the card shows that after the refresh.
      if (error instanceof CallError && [404, 409].includes(error.status))
        refresh(['/api/recordings/pending', '/api/admin/pending-recordings']);
      toast({
        title: SEND_FAILED,
        description: sentenceOf(error, 'It is kept here.'),
        variant: 'destructive',
      });
    },
  });

  /** @returns what was sent; null when sending failed, or is in progress already */
  async function send(reply: Reply): Promise<Sent | null> {
    if (isSending.current) return null;
    isSending.current = true;
    try {
      return await sending.mutateAsync(reply);
    } catch {
      return null;
    } finally {
      isSending.current = false;
    }
  }

  return {
    send,
    isPending: sending.isPending,
    isSent: sending.isSuccess,
    error: upload.wasStopped() ? null : sending.error,
    upload,
  };
}

/** What to tell the teacher when an earlier try had arrived; undefined otherwise. */
const noteOn = ({ isCorrected, hasOlderSound }: Sent) =>
  hasOlderSound ? OLDER_SOUND : isCorrected ? ARRIVED_BEFORE : undefined;

const ARRIVED_BEFORE = 'An earlier try had arrived already. It was corrected to what you have sent now.';
const OLDER_SOUND =
  'An earlier try with a spoken part had arrived already. The spoken part is still there; under Past Feedback it can be taken away.';
