import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { CallError, getErrorMessage } from '#web/api/call.ts';
import { loadDraft, saveDraft } from '#web/drafts/draft-storage.ts';
import { removeFromPages } from '#web/navigation/paged-list.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { useUser } from '#web/api/session.ts';
import { toast } from '#web/ui/toasts.ts';
import { isLostConnectionError } from '#web/uploads/upload-failures.ts';
import { fillPlaceholder } from '#features/feedback/phrases/placeholder.ts';
import type { Recording } from '#features/recordings/contract.ts';
import type { HeldFeedback } from '#features/feedback/contract.ts';
import { BULK_UNDO_WINDOW_SECONDS } from '#features/feedback/limits.ts';
import { addHeldReply } from '../held/held-replies.ts';
import { clearSendAttempts, clearSendAttemptsIfUndone, sendReply } from '../reply/send-reply.ts';
import { FEEDBACK_SENT_MESSAGE } from '../reply/use-send-reply.ts';

export type BulkReply = ReturnType<typeof useBulkReply>;

/** A recording whose reply was not sent, and why. It may no longer be in the list. */
export type UnsentReply = { recording: Recording; reason: string };

/** Manages a bulk reply: its recipients, its text, and sending a separate reply to each recipient. */
export function useBulkReply() {
  const userId = useUser().id;
  const [isShown, setIsShown] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [text, setText] = useState(() => getStoredText(loadDraft(userId, DRAFT_NAME)));
  const [unsent, setUnsent] = useState<ReadonlyMap<number, UnsentReply>>(new Map());
  const [progress, setProgress] = useState({ done: 0, of: 0 });
  const [lastSent, setLastSent] = useState<{ sent: ReadonlyMap<number, string | null>; text: string }>({
    sent: new Map(),
    text: '',
  });

  const write = (next: string) => {
    setText(next);
    saveDraft(userId, DRAFT_NAME, next.trim() === '' ? null : { text: next });
  };

  const sending = useMutation({
    mutationFn: async (recordings: readonly Recording[]) => {
      setUnsent(new Map());
      const failed = new Map<number, UnsentReply>();
      const sent = new Map<number, string | null>();
      let isLost = false;
      for (const [done, recording] of recordings.entries()) {
        setProgress({ done, of: recordings.length });
        try {
          // Once a call has failed because the connection was lost, skips the remaining calls.
          if (isLost) failed.set(recording.id, { recording, reason: CONNECTION_LOST });
          else sent.set(recording.id, await sendOne(userId, recording, text));
        } catch (error) {
          clearSendAttemptsIfUndone(error, userId, recording.id);
          isLost = isLostConnectionError(error);
          failed.set(recording.id, { recording, reason: describeFailure(error) });
        }
      }
      return { sent, failed };
    },
    onSuccess: ({ sent, failed }) => {
      setUnsent(failed);
      setChosen(new Set(failed.keys()));
      setLastSent({ sent, text });
      if (failed.size > 0)
        return refreshQueries(['/api/recordings/pending', '/api/admin/pending-recordings']);
      write('');
      setIsShown(false);
      // Shows the message only if a reply was released immediately. For held replies, the bar with the Undo
      // button shows it.
      if ([...sent.values()].includes(null)) toast({ title: FEEDBACK_SENT_MESSAGE });
    },
    meta: { refreshes: ['/api/recordings', '/api/admin/pending-recordings', '/api/admin/feedback'] },
  });

  return {
    isShown,
    chosen,
    text,
    write,
    unsent,
    progress,
    isSending: sending.isPending,
    /**
     * Returns whether a held reply belongs to the last bulk reply and is undone together with it. False if it
     * was undone and then sent again separately.
     */
    isFromLastBulkReply: ({ recordingId, writtenFeedback, marks, audioFeedbackUrl }: HeldFeedback) =>
      lastSent.sent.get(recordingId) === writtenFeedback && marks.length === 0 && audioFeedbackUrl === null,
    send: sending.mutateAsync,
    /** Opens the form with these recordings selected. */
    show(ids: readonly number[] = []) {
      setChosen(new Set(ids));
      setUnsent(new Map());
      setIsShown(true);
    },
    hide: () => setIsShown(false),
    choose(id: number, isChosen: boolean) {
      const next = new Set(chosen);
      if (isChosen) next.add(id);
      else next.delete(id);
      setChosen(next);
      if (!isChosen) setUnsent((before) => new Map([...before].filter(([each]) => each !== id)));
    },
    /**
     * Puts the text of the last bulk reply back into an empty form. Must be called before the replies are
     * undone.
     * @returns false if the form already contains other text
     */
    restoreText() {
      if (text.trim() === '') write(lastSent.text);
      return text.trim() === '' || text === lastSent.text;
    },
    /** Opens the form with the recordings whose replies were undone. */
    reopen(ids: readonly number[]) {
      setChosen((before) => new Set([...before, ...ids]));
      setIsShown(true);
    },
  };
}

const DRAFT_NAME = 'reply to several';

const getStoredText = (kept: object | string | null) =>
  typeof kept === 'object' && kept !== null && 'text' in kept ? String(kept.text) : '';

/** @returns the text of the held reply, or null if the reply was released immediately */
async function sendOne(userId: string, { id: recordingId, student }: Recording, text: string) {
  const reply = { text: fillPlaceholder(student, text), marks: [], sound: null, peaks: null };
  const sent = await sendReply({ userId, recordingId }, reply, BULK_UNDO_WINDOW_SECONDS);
  clearSendAttempts(userId, recordingId);
  // Updates the list without waiting for the refresh.
  if ('held' in sent) {
    addHeldReply(sent.held);
    return sent.held.writtenFeedback;
  }
  removeFromPages('/api/recordings/pending', recordingId);
  return null;
}

const CONNECTION_LOST = 'The connection was lost.';

function describeFailure(error: unknown) {
  if (isLostConnectionError(error)) return CONNECTION_LOST;
  if (error instanceof CallError && error.status === 404) return 'The student took it back.';
  return getErrorMessage(error, 'Something went wrong.');
}
