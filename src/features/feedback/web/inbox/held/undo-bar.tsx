import { Undo2 } from 'lucide-react';
import { type Ref, useEffect, useImperativeHandle, useState } from 'react';
import { getErrorMessage } from '#web/api/call.ts';
import { joinSentences } from '#web/ui/sentences.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { Button } from '#web/ui/button.tsx';
import { UNDO_WINDOW_SECONDS, BULK_UNDO_WINDOW_SECONDS } from '#features/feedback/limits.ts';
import { type HeldReply, useUndoReply, useUndoBulkReply } from './held-replies.ts';
import type { BulkReply } from '../bulk/use-bulk-reply.ts';
import { FEEDBACK_SENT_MESSAGE } from '../reply/use-send-reply.ts';
import { KeyHint } from '../keys/key-hint.tsx';

type UndoBarProps = {
  /** Held replies, newest first. Only the newest reply or bulk reply can be undone here. */
  held: readonly HeldReply[];
  nameOf: (recordingId: number) => string;
  onBack: (recordingId: number) => void;
  /** The bulk reply, which is undone as a whole. */
  bulkReply: BulkReply;
  /** The last snoozed recording; null if its snooze can't be undone any more. */
  snoozed: { recordingId: number; until: Date } | null;
  onBringBack: () => void;
  ref?: Ref<UndoBarActions>;
};

export type UndoBarActions = {
  undo(): void;
  /** Opens the form of a reply if its undo succeeded but seemed to fail, because the response was lost. */
  openIfUndone(recordingId: number): void;
};

/**
 * Shows the last sent reply or the last snoozed recording, as long as it can be undone. Does not move focus.
 */
export function UndoBar({ held, nameOf, onBack, bulkReply, snoozed, onBringBack, ref }: UndoBarProps) {
  const undoingOne = useUndoReply(onBack);
  const undoingTogether = useUndoBulkReply(bulkReply.reopen);
  const [newest] = held;
  const together =
    newest && bulkReply.isFromLastBulkReply(newest) ? held.filter(bulkReply.isFromLastBulkReply) : [];
  const isOne = together.length < 2;
  const undoing = undoingTogether.isIdle ? undoingOne : undoingTogether;
  const undo = () => {
    if (snoozed) return onBringBack();
    if (!newest || undoing.isPending) return;
    if (isOne) {
      undoingTogether.reset();
      return undoingOne.mutate(newest);
    }
    undoingOne.reset();
    undoingTogether.mutate({ together, keepsDrafts: !bulkReply.restoreText() });
  };
  useImperativeHandle(ref, () => ({
    undo,
    openIfUndone(recordingId) {
      if (!undoingOne.isError || undoingOne.variables.recordingId !== recordingId) return;
      undoingOne.reset();
      onBack(recordingId);
    },
  }));
  const name = newest && nameOf(newest.recordingId);
  const undoButton = (
    <Button icon={<Undo2 />} busy={undoing.isPending} onClick={undo} className="shrink-0">
      Undo
      <KeyHint>Alt Z</KeyHint>
    </Button>
  );
  if (snoozed)
    return (
      <section aria-label="Snoozed just now" className={positionClasses}>
        <p role="status" className="min-w-0 grow text-sm leading-snug break-words">
          <span className="block font-semibold">Snoozed until {dayName.format(snoozed.until)}</span>
          <bdi>{nameOf(snoozed.recordingId)}</bdi>
        </p>
        {undoButton}
      </section>
    );
  return (
    <>
      <ScreenReaderAnnouncement
        text={
          !name
            ? ''
            : isOne
              ? `${FEEDBACK_SENT_MESSAGE} To ${name}. You can undo this for ${UNDO_WINDOW_SECONDS} seconds.`
              : `${FEEDBACK_SENT_MESSAGE} On ${together.length} recordings. You can undo this for ${BULK_UNDO_WINDOW_SECONDS} seconds.`
        }
      />
      {undoing.isError && (
        <div className={positionClasses}>
          <p role="alert" className="min-w-0 grow text-sm">
            {joinSentences('Undo didn’t work.', getErrorMessage(undoing.error, 'The connection was lost.'))}
          </p>
          <Button onClick={newest ? undo : undoing.reset}>{newest ? 'Try again' : 'Close'}</Button>
        </div>
      )}
      {newest && !undoing.isError && (
        <section aria-label="Sent just now" className={positionClasses}>
          <p className="min-w-0 grow text-sm leading-snug">
            <span className="block font-semibold">{FEEDBACK_SENT_MESSAGE}</span>
            <span className="block break-words">
              {isOne ? (
                <>
                  To <bdi>{name}</bdi>
                </>
              ) : (
                `On ${together.length} recordings`
              )}
            </span>
            <SecondsLeft until={Math.min(newest.until, ...together.map(({ until }) => until))} />
          </p>
          {undoButton}
        </section>
      )}
    </>
  );
}

const dayName = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });

/**
 * Position above the open card's bar, or at the bottom of the window on phones with a short screen, where that
 * bar is not sticky.
 */
const positionClasses =
  'fixed start-3 bottom-32 [@media(max-width:40rem)_and_(max-height:40rem)]:bottom-3 z-20 flex w-[min(22rem,calc(100%-1.5rem))] items-center gap-4 rounded-lg border border-edge bg-surface py-2.5 ps-4 pe-2.5 shadow-soft sm:bottom-24 lg:start-74 lg:bottom-4 lg:w-68 lg:flex-col lg:items-stretch lg:gap-2 lg:pe-4';

/** Visual countdown. Screen readers announce only the total time, once. */
function SecondsLeft({ until }: { until: number }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <span aria-hidden="true" className="text-soft tabular-nums">
      {seconds > 0 ? `${seconds} s left to undo` : 'Too late to undo'}
    </span>
  );
}
