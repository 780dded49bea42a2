import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import {
  callApi,
  type CallError,
  isOtherUserError,
  isUnauthorizedError,
  getErrorMessage,
} from '#web/api/call.ts';
import { assertCreated } from '#web/uploads/assert-created.ts';
import { getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import { toast } from '#web/ui/toasts.ts';
import { tabUploadConnection } from '#web/uploads/upload-connection.ts';
import { getUploadId } from '#web/uploads/upload-id.ts';
import { createUploader } from '#web/uploads/uploader.ts';
import {
  type InspectionProgress,
  mayInspectionTakeLong,
  withInspectionPolling,
} from '#web/uploads/with-inspection-polling.ts';
import { recordingAudioSlot } from '#features/recordings/limits.ts';
import type { RecordingFields } from '#features/recordings/web/commit-take.ts';
import {
  SUBMISSION_FAILED_MESSAGE,
  SUBMISSION_SUCCEEDED_MESSAGE,
} from '#features/recordings/web/submission-messages.ts';
import type { SubmissionProblem } from './submission-state.ts';

const SIGN_IN_ELSEWHERE =
  'Keep this page open and sign in again in another window. Then come back here and press “Submit to the teacher”.';
const SIGNED_OUT = `You’re signed out. ${SIGN_IN_ELSEWHERE}`;
const OTHER_USER_SIGNED_IN = `Someone else is now signed in on this device. ${SIGN_IN_ELSEWHERE}`;
const UNKNOWN_FAILURE = 'Something went wrong while sending.';

type DirectSubmission = { audio: ChosenAudio; fields: RecordingFields; id?: string };

/** Manages sending a recording straight from the page's memory, for a device that can't store recordings. */
export function useDirectSubmission() {
  const [sent, setSent] = useState(0);
  const [inspection, setInspection] = useState<InspectionProgress>(null);
  const ending = useRef<AbortController | null>(null);
  const submission = useMutation({
    mutationFn: async ({ audio, fields, id = audio.kept?.id }: DirectSubmission) => {
      const { signal } = (ending.current = new AbortController());
      // If the device's queue sends the recording too, the server recognizes the duplicate by this id.
      const uploadId = getUploadId(audio.blob, id);
      const make = () =>
        callApi('POST /api/recordings', {
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
      const answer = await createUploader({ connection: tabUploadConnection }).deliver({
        files: () => [{ uploadId, blob: audio.blob, slot: recordingAudioSlot.name }],
        onComplete: () =>
          mayInspectionTakeLong(audio)
            ? withInspectionPolling(uploadId, make, { onProgress: setInspection })
            : make(),
        onProgress: setSent,
        signal,
      });
      assertCreated(answer);
    },
    meta: { refreshes: ['/api/student/recordings'] },
    onMutate: () => setSent(0),
    onSuccess: (_, { audio, id = audio.kept?.id }) => {
      toast({ title: SUBMISSION_SUCCEEDED_MESSAGE });
      if (id !== undefined)
        getTakeStore()
          .remove(id, 'sent')
          .catch(() => undefined);
    },
    onError: () => {
      if (!ending.current?.signal.aborted) showSubmissionFailure();
    },
  });
  const { isPending, isSuccess, error, mutate: send, reset } = submission;
  const problem: SubmissionProblem | null =
    error && error.name !== 'AbortError' ? { is: 'refused', reason: describeReason(error) } : null;
  return {
    isPending,
    isSuccess,
    problem,
    sent,
    inspection,
    send,
    reset,
    cancel: () => ending.current?.abort(),
  };
}

function describeReason(error: CallError) {
  if (isUnauthorizedError(error)) return SIGNED_OUT;
  return isOtherUserError(error) ? OTHER_USER_SIGNED_IN : getErrorMessage(error, UNKNOWN_FAILURE);
}

export const showSubmissionFailure = () =>
  toast({ title: 'Error', description: SUBMISSION_FAILED_MESSAGE, variant: 'destructive' });
