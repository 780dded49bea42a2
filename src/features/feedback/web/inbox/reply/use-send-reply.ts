import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { CallError, getErrorMessage } from '#web/api/call.ts';
import { removeFromPages } from '#web/navigation/paged-list.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { useUser } from '#web/api/session.ts';
import { removeTake, getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import { toast } from '#web/ui/toasts.ts';
import { useUpload } from '#web/uploads/use-upload.ts';
import type { FormUploadFile } from '#web/uploads/form-upload.ts';
import { ALREADY_HAS_FEEDBACK_MESSAGE } from '#features/feedback/limits.ts';
import { toReplyUploadFiles } from '#features/feedback/web/use-audio-reply.ts';
import type { WrittenReply } from '#features/feedback/web/draft/written-reply.ts';
import { addHeldReply } from '../held/held-replies.ts';
import {
  clearSendAttempts,
  clearSendAttemptsIfUndone,
  setSendAttemptHeld,
  renewIdempotencyKey,
  sendReply,
  type SentReply,
} from './send-reply.ts';

export const FEEDBACK_SENT_MESSAGE = 'Feedback sent successfully!';
const SEND_FAILED = 'Failed to send feedback. Please try again.';

/**
 * Returns the title of the error. If the recording was answered or withdrawn, the title does not suggest
 * trying again.
 */
export const getSendFailureTitle = (error: Error) =>
  isAnsweredOrWithdrawn(error) ? 'Failed to send feedback.' : SEND_FAILED;

/** Returns whether the error means that the recording was answered elsewhere or withdrawn. */
const isAnsweredOrWithdrawn = (error: Error) =>
  error instanceof CallError &&
  (error.status === 404 || error.serverMessage === ALREADY_HAS_FEEDBACK_MESSAGE);

export type ComposedReply = WrittenReply & { audio: ChosenAudio | null; voices: readonly FormUploadFile[] };

/**
 * Returns functions and state to send the reply to one recording: first its audio in chunks, then the reply
 * itself in one call.
 */
export function useSendReply(recordingId: number) {
  const userId = useUser().id;
  const upload = useUpload();
  const isSending = useRef(false);
  const sending = useMutation({
    mutationFn: ({ text, marks, audio, voices }: ComposedReply) => {
      renewIdempotencyKey(userId, recordingId);
      return upload.send([...toReplyUploadFiles(audio), ...voices], async ([first = null]) => {
        const sound = audio ? first : null;
        await Promise.all(getTakeIds({ audio, voices }).map(markMayHaveArrived));
        return sendReply({ userId, recordingId }, { text, marks, sound, peaks: audio?.peaks ?? null });
      });
    },
    meta: {
      refreshes: ['/api/recordings', '/api/admin/pending-recordings', '/api/admin/feedback'],
    },
    onSuccess: (sent, { audio, voices }) => {
      const stored = getTakeIds({ audio, voices });
      // Keeps the send attempt on the device, because a held reply's audio also stays there in case of undo.
      if ('held' in sent && stored.length > 0) setSendAttemptHeld(userId, recordingId);
      else void Promise.all(stored.map(removeTake)).then(() => clearSendAttempts(userId, recordingId));
      // Updates the list without waiting for the refresh.
      if ('held' in sent) addHeldReply(sent.held);
      else removeFromPages('/api/recordings/pending', recordingId);
      // Shows the message only for a reply that was released immediately. For a held reply, the bar with the
      // Undo button shows it.
      if (!('held' in sent))
        toast({ title: FEEDBACK_SENT_MESSAGE, description: describeEarlierAttempt(sent) });
    },
    onError: (error: Error) => {
      if (upload.wasStopped()) return;
      clearSendAttemptsIfUndone(error, userId, recordingId);
      // Refetches recordings if this one was answered elsewhere or withdrawn, so that the card shows that.
      if (error instanceof CallError && [404, 409].includes(error.status))
        refreshQueries(['/api/recordings/pending', '/api/admin/pending-recordings']);
      toast({
        title: getSendFailureTitle(error),
        description: getErrorMessage(error, 'It’s saved here.'),
        variant: 'destructive',
      });
    },
  });

  /** @returns whether the reply was sent; false also while another send is in progress */
  async function send(reply: ComposedReply): Promise<boolean> {
    if (isSending.current) return false;
    isSending.current = true;
    try {
      await sending.mutateAsync(reply);
      return true;
    } catch {
      return false;
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

/** Returns the ids of the takes that contain a reply's audio. */
const getTakeIds = ({ audio, voices }: Pick<ComposedReply, 'audio' | 'voices'>) =>
  [audio?.kept?.id, ...voices.map(({ kept }) => kept)].filter((id) => id !== undefined);

/** Records that the take may have arrived on the server. If the device can't store that, nothing is lost. */
const markMayHaveArrived = (id: string) =>
  getTakeStore()
    .change(id, { mayHaveArrived: true })
    .catch(() => undefined);

/** Returns a note for the teacher if an earlier version of the reply had arrived. */
const describeEarlierAttempt = ({ isCorrected, hasOlderSound }: SentReply) =>
  hasOlderSound ? OLDER_SOUND : isCorrected ? REPLACED_EARLIER_VERSION : undefined;

const REPLACED_EARLIER_VERSION =
  'An earlier version had already been sent. It has been replaced with this one.';
const OLDER_SOUND =
  'An earlier version with an audio response had already been sent. You can remove that audio under Past Feedback.';
