import { useMutation, useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { getOwnerOnlyMessage } from '#shared/owner-only.ts';
import { callApi, getErrorMessage } from '#web/api/call.ts';
import { formatIsoDate } from '#web/ui/format-iso-date.ts';
import { createApiQuery, queryClient } from '#web/api/query-client.ts';
import { sessionQuery, useUser } from '#web/api/session.ts';
import { ConfirmDialog } from '#web/ui/alert-dialog.tsx';
import { Button, getButtonClass } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import type { PractisedMelody } from '../contract.ts';
import { PRACTICE_LOG_PATH } from './practice-log-path.ts';
import { formatPracticeDuration } from './format-practice.ts';
import { PracticeLogEntry } from './practice-log-entry.tsx';
import { sumUnsentPracticeSeconds } from './practice-store.ts';
import { sendPractice } from './send-practice.ts';

/** Dialog with the practice log of the signed-in student. Its code is loaded when it is first opened. */
export default function PracticeLogDialog({ onClose }: { onClose: () => void }) {
  const { codeShownBy } = useUser();
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Practice log"
      description="How long and how often you practise each melody. Only you can see this; your teacher can’t."
    >
      {codeShownBy === null ? (
        <LogContent />
      ) : (
        <Notice tone="amber">{getOwnerOnlyMessage(codeShownBy)}</Notice>
      )}
    </Dialog>
  );
}

function LogContent() {
  const { keepsPracticeLog } = useUser();
  const log = useQuery({ ...createApiQuery('GET /api/user/practice-log'), staleTime: 0 });
  return (
    <>
      {log.isError ? (
        <LoadFailure sentence="Couldn’t load your practice log." of={log} />
      ) : log.data === undefined ? (
        <SkeletonList itemClassName="h-20" count={2} />
      ) : (
        <PractisedList melodies={log.data} />
      )}
      {keepsPracticeLog && <UnsentNotice />}
      {log.data && <LogActions isEmpty={log.data.length === 0} />}
    </>
  );
}

function PractisedList({ melodies }: { melodies: readonly PractisedMelody[] }) {
  const { keepsPracticeLog } = useUser();
  const [open, setOpen] = useState<number | null>(null);
  const [today] = useState(() => formatIsoDate(new Date()));
  const seconds = melodies.reduce((sum, { last }) => sum + (last?.day === today ? last.seconds : 0), 0);
  if (melodies.length === 0)
    return keepsPracticeLog ? (
      <p>Nothing yet. What you practise in the player appears here.</p>
    ) : (
      <p>The practice log is off. To turn it on, press “Count my practice”. You can stop at any time.</p>
    );
  return (
    <>
      {seconds > 0 && (
        <p className="mb-3">
          Today: <strong>{formatPracticeDuration(seconds)}</strong>
        </p>
      )}
      <ul className="divide-y divide-line rounded-lg border border-line">
        {melodies.map((melody) => (
          <li key={melody.id}>
            <PracticeLogEntry
              {...{ melody, today }}
              isOpen={open === melody.id}
              onToggle={() => setOpen(open === melody.id ? null : melody.id)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Shows how much practice this device has counted but could not send. */
function UnsentNotice() {
  const seconds = useUnsentPractice();
  return (
    seconds > 0 && (
      <Notice tone="amber" className="mt-4">
        {formatPracticeDuration(seconds)} of practice is saved on this device and will be added when you’re
        online.
      </Notice>
    )
  );
}

function LogActions({ isEmpty }: { isEmpty: boolean }) {
  const { id, keepsPracticeLog } = useUser();
  const [isAsking, setIsAsking] = useState(false);
  const choice = useMutation({
    mutationFn: async (keeps: boolean) => {
      // Sends the practice counted so far, because the server skips additions while counting is off.
      if (!keeps) await import('./send-practice.ts').then(({ sendPractice }) => sendPractice(id));
      return callApi('PUT /api/user/practice-log', { body: { keepsPracticeLog: keeps } });
    },
    onSuccess: (chosen) =>
      queryClient.setQueryData(sessionQuery.queryKey, (user) => user && { ...user, ...chosen }),
  });
  const clear = useMutation({
    mutationFn: () => callApi('DELETE /api/user/practice-log'),
    meta: { refreshes: [PRACTICE_LOG_PATH] },
    onSettled: () => setIsAsking(false),
  });
  const failed = choice.error ?? clear.error;
  return (
    <>
      {failed && (
        <Notice tone="danger" className="mt-4">
          {getErrorMessage(failed, 'Couldn’t save this. Please try again.')}
        </Notice>
      )}
      <div className="mt-5 flex flex-col gap-3 sm:flex-row sm:flex-wrap">
        <Button
          variant={keepsPracticeLog ? 'secondary' : 'primary'}
          busy={choice.isPending}
          onClick={() => choice.mutate(!keepsPracticeLog)}
        >
          {keepsPracticeLog ? 'Stop counting' : 'Count my practice'}
        </Button>
        {!isEmpty && (
          <>
            <a href={`${PRACTICE_LOG_PATH}/export`} download className={getButtonClass('secondary')}>
              <Download />
              Download (CSV)
            </a>
            <Button variant="quiet" onClick={() => setIsAsking(true)}>
              Delete everything
            </Button>
          </>
        )}
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        sentence="Delete your whole practice log?"
        note="All days and counts will be deleted and can’t be recovered."
        confirmLabel="Delete"
        isDangerous
        busy={clear.isPending}
        onConfirm={() => clear.mutate()}
      />
    </>
  );
}

/** Tries to send the practice counted on this device, and returns the number of seconds still unsent. */
function useUnsentPractice(): number {
  const { id } = useUser();
  const { data = 0 } = useQuery({
    queryKey: ['practice on this device', id],
    queryFn: async ({ signal }) => {
      await sendPractice(id, signal).catch(() => undefined);
      // If the device can't store practice, none is waiting to be sent.
      return sumUnsentPracticeSeconds(id).catch(() => 0);
    },
    staleTime: 0,
    gcTime: 0,
  });
  return data;
}
