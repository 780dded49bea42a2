import { useState } from 'react';
import { usePageSettings } from '#web/api/page-data.ts';
import { useUser } from '#web/api/session.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { removeTake, getTakeStore, useTakes } from '#features/recordings/web/takes/use-takes.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import type { TakeSenderSnapshot } from '#features/recordings/web/takes/take-sender.ts';
import { describeInspectionProgress } from '#web/uploads/describe-inspection-progress.ts';
import { isTakeBeingSent, describeSendDelay } from './submit/describe-send-delay.ts';
import { SUBMISSION_PURPOSE } from '#features/recordings/web/queue-recording.ts';
import type { RecordingFields } from '#features/recordings/web/commit-take.ts';
import {
  cancelSendingTake,
  startSendingTakes,
  useTakeSenderSnapshot,
} from '#features/recordings/web/take-sending.ts';
import { getSendingFaultMessage, getOpenAgainMessage } from '#features/recordings/web/submission-messages.ts';

const ON_THIS_DEVICE_ONLY =
  'It hasn’t reached your teacher and is only on this device. If you delete it, it can’t be recovered.';
const MAY_HAVE_ARRIVED =
  'Your teacher may already have it, so check Past Recordings first. If it isn’t there and you delete it here, it can’t be recovered.';

/** Recordings that were submitted but have not arrived yet, with the reason and what the student can do. */
export function QueuedRecordings({ except }: { except?: string | null }) {
  const takes = (useTakes(SUBMISSION_PURPOSE) ?? []).filter(
    ({ id, state }) => id !== except && (state === 'queued' || state === 'refused'),
  );
  const { blockedBy } = useTakeSenderSnapshot();
  const { appName } = usePageSettings();
  if (takes.length === 0) return null;
  return (
    <Card as="section" aria-labelledby="on-this-device" className="mb-6 grid gap-3">
      <h2 id="on-this-device" className="text-lg">
        Not sent yet
      </h2>
      {(blockedBy === 'offline' || blockedBy === 'server') && (
        <p className="-mt-2 text-sm text-soft">{getOpenAgainMessage(appName)}</p>
      )}
      <ul className="grid gap-3">
        {takes.map((take) => (
          <QueuedRecording key={take.id} take={take} />
        ))}
      </ul>
    </Card>
  );
}

function QueuedRecording({ take }: { take: StoredRecording }) {
  const { id: userId } = useUser();
  const sending = useTakeSenderSnapshot();
  const { appName } = usePageSettings();
  const [isAsking, setIsAsking] = useState(false);
  const isOnTheLine = isTakeBeingSent(sending, take.id);
  const again = async () => {
    if (take.state === 'refused') await getTakeStore().change(take.id, { state: 'queued', refusal: null });
    startSendingTakes(userId);
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-3">
      <div className="min-w-0 grow basis-48">
        <p dir="auto" className="font-semibold break-words">
          {(take.sending as RecordingFields | null)?.title}
        </p>
        <p role="status" className={take.state === 'refused' ? 'text-sm text-danger' : 'text-sm text-soft'}>
          {describeQueuedRecording(take, isOnTheLine ? sending.fraction : null, sending, appName)}
        </p>
      </div>
      {isOnTheLine ? (
        sending.fraction < 1 &&
        !take.mayHaveArrived && (
          <Button
            variant="quiet"
            onClick={() => void cancelSendingTake(userId, take.id).catch(() => undefined)}
          >
            Cancel
          </Button>
        )
      ) : (
        <div className="flex gap-3">
          <Button onClick={() => void again().catch(() => undefined)}>Try now</Button>
          <Button variant="quiet" onClick={() => setIsAsking(true)}>
            Delete
          </Button>
        </div>
      )}
      <ConfirmDialog
        isOpen={isAsking && !isOnTheLine}
        onOpenChange={setIsAsking}
        sentence="Delete this recording?"
        note={take.mayHaveArrived ? MAY_HAVE_ARRIVED : ON_THIS_DEVICE_ONLY}
        confirmLabel="Delete"
        cancelLabel="Keep it"
        isDangerous
        onConfirm={() => {
          setIsAsking(false);
          void removeTake(take.id);
        }}
      />
    </li>
  );
}

function describeQueuedRecording(
  take: StoredRecording,
  fraction: number | null,
  { inspectionProgress, blockedBy, wait }: TakeSenderSnapshot,
  appName: string,
) {
  if (take.state === 'refused')
    return `The server didn’t accept it${take.refusal ? `. ${take.refusal}` : ', and we don’t know why. Please tell your teacher.'}`;
  if (fraction !== null && inspectionProgress) return `${describeInspectionProgress(inspectionProgress)}.`;
  if (fraction !== null) return `Sending: ${Math.floor(fraction * 100)}%`;
  if (blockedBy === 'offline') return 'Waiting for internet.';
  if (blockedBy === 'fault') return getSendingFaultMessage(appName);
  if (blockedBy === 'asked-to-wait') return describeSendDelay(wait);
  if (blockedBy === 'signed-out') return 'It will be sent when you sign in again.';
  if (blockedBy === 'device')
    return 'Your device can’t open the recording right now. We’ll try again automatically.';
  if (blockedBy === 'server') return 'The server can’t accept it just now. We’ll try again automatically.';
  return 'Waiting to send.';
}
