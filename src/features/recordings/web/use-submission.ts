import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ChosenAudio } from '../../../platform/web/audio-ui/chosen-audio.ts';
import { call, sentenceOf } from '../../../platform/web/call.ts';
import { useUser } from '../../../platform/web/session.ts';
import type { KeptTake } from '../../../platform/web/takes/kept-take.ts';
import { TakeStoreError } from '../../../platform/web/takes/take-store.ts';
import { takeStore, useTake } from '../../../platform/web/takes/use-takes.ts';
import { toast } from '../../../platform/web/toasts.ts';
import { clientIdOf } from './client-id.ts';
import { RECORDING, type RecordingSending, sendWaiting, useSending } from './sending.ts';
import { FAILED, SUBMITTED } from './submitted-words.ts';

export type SubmissionState =
  | { step: 'filling'; refusal: string | null }
  | { step: 'sending'; sent: number }
  /** It is safe on the device, and goes as soon as it can. */
  | { step: 'waiting'; because: 'no-line' | 'server' | 'signed-out' }
  | { step: 'done' };

/**
 * Sends a recording off: first onto the device's queue, from where it goes to the server and is tried again until it
 * is there. Where the device keeps nothing, it is sent straight from the page.
 */
export function useSubmission(onRefused: (take: KeptTake) => void) {
  const { id: userId } = useUser();
  const [queuedId, setQueuedId] = useState<string | null>(null);
  const [isQueueing, setIsQueueing] = useState(false);
  const direct = useDirectSubmission();
  const sending = useSending();
  const queued = useTake(queuedId);
  const isThere = queued !== undefined && queued !== 'gone';

  // The sentence stays with the take until it is sent once more.
  const refusal = isThere ? queued.refusal : null;
  const isRefused = isThere && queued.state === 'refused';
  const hindrance = isThere && sending.id !== queued.id ? sending.hindrance : null;
  useEffect(() => {
    if (!isRefused) return;
    tellFailure();
    // It is the form's again, to be mended and sent once more.
    onRefused({ ...queued, state: 'recorded' });
    void takeStore().change(queued.id, { state: 'recorded' });
  }, [isRefused]); // eslint-disable-line react-hooks/exhaustive-deps
  useEffect(() => {
    if (hindrance === 'server') tellFailure();
  }, [hindrance]);

  async function submit(audio: ChosenAudio, fields: RecordingSending) {
    setIsQueueing(true);
    try {
      setQueuedId(await queue(audio, fields, userId));
      sendWaiting(userId);
    } catch (error) {
      if (!(error instanceof TakeStoreError)) throw error;
      direct.mutate({ audio, fields });
    } finally {
      setIsQueueing(false);
    }
  }

  function stateNow(): SubmissionState {
    if (direct.isSuccess) return { step: 'done' };
    if (direct.isPending) return { step: 'sending', sent: direct.sent };
    if (isQueueing) return { step: 'sending', sent: 0 };
    if (direct.isError)
      return { step: 'filling', refusal: sentenceOf(direct.error, 'Something went wrong on the way.') };
    if (queuedId === null) return { step: 'filling', refusal: null };
    if (queued === 'gone') return { step: 'done' };
    if (isThere && queued.state !== 'queued')
      return { step: 'filling', refusal: refusal ?? 'Something went wrong on the way.' };
    if (!isThere) return { step: 'sending', sent: 0 };
    if (hindrance) return { step: 'waiting', because: hindrance };
    return { step: 'sending', sent: sending.id === queued.id ? sending.fraction : 0 };
  }

  /** The recording that was refused is no longer wanted. */
  const forget = () => setQueuedId(null);

  return { state: stateNow(), submit, forget };
}

/** @returns the id of the take that is queued now */
async function queue(audio: ChosenAudio, fields: RecordingSending, userId: string): Promise<string> {
  const part = { state: 'queued', sending: fields, refusal: null } as const;
  if (audio.kept && (await takeStore().change(audio.kept.id, part))) return audio.kept.id;
  // Never kept, or forgotten by the browser since: the page's memory has all of it.
  const { id } = await keep(audio, userId);
  await takeStore().change(id, part);
  return id;
}

const keep = (audio: ChosenAudio, userId: string) =>
  takeStore().keepFile(
    { userId, purpose: RECORDING, origin: 'uploaded', name: audio.name, type: audio.blob.type },
    audio.blob,
    { seconds: audio.seconds, peaks: audio.peaks },
  );

/** In one call, with all of the file in it. */
function useDirectSubmission() {
  const [sent, setSent] = useState(0);
  const submission = useMutation({
    mutationFn: ({ audio, fields }: { audio: ChosenAudio; fields: RecordingSending }) =>
      call('POST /api/recordings', {
        form: {
          title: fields.title,
          message: fields.message || undefined,
          melodyId: fields.melodyId ?? undefined,
          clientId: clientIdOf(audio.blob),
          peaks: audio.peaks ?? undefined,
          audio: { blob: audio.blob, name: audio.name },
        },
        onProgress: setSent,
      }),
    meta: { refreshes: ['/api/student/recordings'] },
    onMutate: () => setSent(0),
    onSuccess: () => toast({ title: SUBMITTED }),
    onError: tellFailure,
  });
  return { ...submission, sent };
}

const tellFailure = () => toast({ title: 'Error', description: FAILED, variant: 'destructive' });
