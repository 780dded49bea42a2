import { useEffect, useRef, useState } from 'react';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { useUser } from '#web/api/session.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { TakeStoreError } from '#features/recordings/web/takes/take-store.ts';
import { getTakeStore, useTake } from '#features/recordings/web/takes/use-takes.ts';
import { isTakeBeingSent, describeSendDelay } from './describe-send-delay.ts';
import type { SubmissionProblem, SubmissionState } from './submission-state.ts';
import { queueRecording } from '#features/recordings/web/queue-recording.ts';
import type { RecordingFields } from '#features/recordings/web/commit-take.ts';
import {
  cancelSendingTake,
  startSendingTakes,
  useTakeSenderSnapshot,
} from '#features/recordings/web/take-sending.ts';
import { showSubmissionFailure, useDirectSubmission } from './use-direct-submission.ts';

type Submitted = { id: string; audio: ChosenAudio; fields: RecordingFields };

/**
 * Manages submitting a recording. The recording is queued on the device and sent with retries until it arrives.
 * If the device's storage fails, now or later, the recording is sent straight from the page.
 * @param onReturned called when the recording returns to the form: rejected, cancelled, or discarded elsewhere
 *   (`take` is null)
 */
export function useSubmission(onReturned: (take: StoredRecording | null, fields: RecordingFields) => void) {
  const { id: userId } = useUser();
  const [submitted, setSubmitted] = useState<Submitted | null>(null);
  const [isQueueing, setIsQueueing] = useState(false);
  const [problem, setProblem] = useState<SubmissionProblem | null>(null);
  const direct = useDirectSubmission();
  const sending = useTakeSenderSnapshot();
  const queued = useTake(submitted?.id ?? null);
  const isThere = typeof queued === 'object';
  const state = isThere ? queued.state : queued;
  const isUploading = submitted !== null && isTakeBeingSent(sending, submitted.id);
  const hindrance = state === 'queued' && !isUploading ? sending.blockedBy : null;

  const mayHaveArrived = useRef(false);
  useEffect(() => {
    if (isThere) mayHaveArrived.current = queued.mayHaveArrived;
  });
  useEffect(() => {
    if (!submitted) return;
    if (state === 'refused' && isThere) {
      showSubmissionFailure();
      returnToForm({ is: 'refused', reason: queued.refusal ?? 'Something went wrong while sending.' });
      void getTakeStore()
        .change(submitted.id, { state: 'recorded' })
        .catch(() => undefined);
      onReturned({ ...queued, state: 'recorded' }, submitted.fields);
    } else if (state === 'recorded' && isThere) {
      returnToForm(null);
      onReturned(queued, submitted.fields);
    } else if (state === 'gone') {
      returnToForm({ is: 'discarded-elsewhere', mayHaveArrived: mayHaveArrived.current });
      onReturned(null, submitted.fields);
    } else if (state === 'unreadable' || hindrance === 'device') {
      returnToForm(null);
      direct.send(submitted);
    }
  }, [state, hindrance]); // oxlint-disable-line react/exhaustive-deps
  useEffect(() => {
    if (hindrance === 'server') showSubmissionFailure();
  }, [hindrance]);

  function returnToForm(because: SubmissionProblem | null) {
    setSubmitted(null);
    setProblem(because);
  }

  async function submit(audio: ChosenAudio, fields: RecordingFields) {
    setIsQueueing(true);
    setProblem(null);
    try {
      const id = await queueRecording(getTakeStore(), audio, fields, userId);
      setSubmitted({ id, audio, fields });
      startSendingTakes(userId);
    } catch (error) {
      if (!(error instanceof TakeStoreError)) throw error;
      direct.send({ audio, fields });
    } finally {
      setIsQueueing(false);
    }
  }

  function getState(): SubmissionState {
    if (direct.isSuccess || state === 'sent') return { step: 'done' };
    if (direct.isPending) {
      const { sent, inspection } = direct;
      return { step: 'sending', sent, inspection, mayCancel: sent < 1 };
    }
    if (isQueueing) return { step: 'sending', sent: 0, inspection: null, mayCancel: false };
    if (submitted === null) return { step: 'filling', problem: problem ?? direct.problem };
    if (hindrance === 'asked-to-wait')
      return { step: 'waiting', because: hindrance, sentence: describeSendDelay(sending.wait) };
    if (hindrance && hindrance !== 'device') return { step: 'waiting', because: hindrance };
    const sent = isUploading ? sending.fraction : 0;
    return {
      step: 'sending',
      sent,
      inspection: isUploading ? sending.inspectionProgress : null,
      mayCancel: isThere && queued.state === 'queued' && sent < 1 && !queued.mayHaveArrived,
    };
  }

  /** Cancels sending and puts the recording back into the form, unless the recording may have arrived. */
  async function cancel() {
    if (direct.isPending) direct.cancel();
    else if (submitted) await cancelSendingTake(userId, submitted.id).catch(() => false);
  }

  /** Clears a failed submission, with its error, when its recording is no longer wanted. */
  const forget = () => {
    returnToForm(null);
    direct.reset();
  };

  return { state: getState(), takeId: submitted?.id ?? null, submit, cancel, forget };
}
