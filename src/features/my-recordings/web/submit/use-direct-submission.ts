import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { call, type CallError, isOtherUser, isUnauthorized, sentenceOf } from '#web/api/call.ts';
import { confirmed } from '#web/uploads/confirmed.ts';
import { takeStore } from '#features/recordings/web/takes/use-takes.ts';
import { toast } from '#web/ui/toasts.ts';
import { connectionOfTab } from '#web/uploads/upload-connection.ts';
import { uploadIdOf } from '#web/uploads/upload-id.ts';
import { createUploader } from '#web/uploads/uploader.ts';
import { type Examination, mayTakeLong, whileExamined } from '#web/uploads/while-examined.ts';
import { recordingAudioSlot } from '#features/recordings/limits.ts';
import type { RecordingSending } from '#features/recordings/web/commit-take.ts';
import { FAILED, SUBMITTED } from '#features/recordings/web/submission-messages.ts';
import type { SubmissionProblem } from './submission-state.ts';

const SIGN_IN_BESIDE =
  'Keep this page open and sign in again in another window. Then come back here and press “Submit to the teacher”.';
const SIGNED_OUT = `You’re signed out. ${SIGN_IN_BESIDE}`;
const SOMEBODY_ELSE = `Someone else is now signed in on this device. ${SIGN_IN_BESIDE}`;
const OTHERWISE = 'Something went wrong while sending.';

type Given = { audio: ChosenAudio; fields: RecordingSending; id?: string };

/** Sends straight from the page's memory if the device can't store recordings. */
export function useDirectSubmission() {
  const [sent, setSent] = useState(0);
  const [examination, setExamination] = useState<Examination>(null);
  const ending = useRef<AbortController | null>(null);
  const submission = useMutation({
    mutationFn: async ({ audio, fields, id = audio.kept?.id }: Given) => {
      const { signal } = (ending.current = new AbortController());
      // If the device sends it after all, the server recognizes the recording by this id.
      const uploadId = uploadIdOf(audio.blob, id);
      const make = () =>
        call('POST /api/recordings', {
          form: {
            title: fields.title,
            message: fields.message || undefined,
            melodyId: fields.melodyId ?? undefined,
            clientId: uploadId,
            uploadId,
            peaks: audio.peaks ?? undefined,
          },
          signal,
        });
      const answer = await createUploader({ connection: connectionOfTab }).deliver({
        files: () => [{ uploadId, blob: audio.blob, slot: recordingAudioSlot.name }],
        onComplete: () =>
          mayTakeLong(audio) ? whileExamined(uploadId, make, { onExamination: setExamination }) : make(),
        onProgress: setSent,
        signal,
      });
      confirmed(answer);
    },
    meta: { refreshes: ['/api/student/recordings'] },
    onMutate: () => setSent(0),
    onSuccess: (_, { audio, id = audio.kept?.id }) => {
      toast({ title: SUBMITTED });
      if (id !== undefined)
        takeStore()
          .remove(id, 'sent')
          .catch(() => undefined);
    },
    onError: () => {
      if (!ending.current?.signal.aborted) tellFailure();
    },
  });
  const { isPending, isSuccess, error, mutate: send, reset } = submission;
  const problem: SubmissionProblem | null =
    error && error.name !== 'AbortError' ? { is: 'refused', reason: reasonOf(error) } : null;
  return {
    isPending,
    isSuccess,
    problem,
    sent,
    examination,
    send,
    reset,
    cancel: () => ending.current?.abort(),
  };
}

function reasonOf(error: CallError) {
  if (isUnauthorized(error)) return SIGNED_OUT;
  return isOtherUser(error) ? SOMEBODY_ELSE : sentenceOf(error, OTHERWISE);
}

export const tellFailure = () => toast({ title: 'Error', description: FAILED, variant: 'destructive' });
