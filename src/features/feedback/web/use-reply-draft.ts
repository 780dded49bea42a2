import { useEffect, useState, useSyncExternalStore } from 'react';
import { call, CallError } from '../../../platform/web/call.ts';
import { keepText, keptText } from '../../../platform/web/kept-text.ts';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { useUser } from '../../../platform/web/session.ts';
import { mustSeemToBe, mustStillBe, SomebodyElse } from '../../../platform/web/still-signed-in.ts';
import type { Draft } from '../contract.ts';
import { createDeviceCopy, type Shelf } from './device-copy.ts';
import { NOTHING, type Written } from './draft.ts';
import { createDraftSaver } from './draft-saver.ts';

/** A browser lets no more than this outlive its page; an even larger draft waits on the device. */
const KEEPALIVE_BYTES = 60_000;

const underWay = new Set<Promise<unknown>>();

/** The server's drafts as they are when one comes to the inbox; what was typed just before is among them. */
export const draftsQuery = {
  ...apiQuery('GET /api/admin/feedback-drafts'),
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    await Promise.allSettled(underWay);
    return call('GET /api/admin/feedback-drafts', { signal });
  },
  gcTime: 0,
};

/** What is being written to one recording, kept on the device and at the server until it is sent or put away. */
export function useReplyDraft(recordingId: number, server: Draft | undefined, isGone: boolean) {
  const userId = useUser().id;
  const [copy] = useState(() => createDeviceCopy(shelfOf(userId), recordingId, server, isGone));
  const [written, setWritten] = useState(copy.written);
  const [besides, setBesides] = useState(copy.besides);
  const [isSomebodyElse, setIsSomebodyElse] = useState(false);
  const [saver] = useState(() =>
    createDraftSaver({
      keep: copy.keep,
      save: (now, isLeaving) => {
        copy.noteSending(now);
        return saveDraft({ userId, recordingId }, now, isLeaving).then(
          () => setIsSomebodyElse(false),
          (error: unknown) => {
            setIsSomebodyElse(error instanceof SomebodyElse);
            throw error;
          },
        );
      },
    }),
  );
  const saved = useSyncExternalStore(saver.subscribe, saver.getSnapshot, saver.getSnapshot);

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const leave = () => saver.flush(true);
    addEventListener('pagehide', leave, { signal });
    addEventListener('online', () => saver.flush(), { signal });
    document.addEventListener('visibilitychange', () => document.hidden && leave(), { signal });
    return () => {
      listening.abort();
      saver.end();
    };
  }, [saver]);

  const change = (part: Partial<Written>) => {
    const next = { ...written, ...part };
    setWritten(next);
    saver.change(next);
  };
  return {
    written,
    change,
    besides,
    /** What stood in the form changes places with it. */
    use(other: Written) {
      setBesides(copy.swap(other, written));
      change(other);
    },
    putAway: (other: Written) => setBesides(copy.putAway(other)),
    saved,
    /** Another tab has signed somebody else in: it stays on the device. */
    isSomebodyElse,
    flush: () => saver.flush(),
    /** Nothing of it may reach the server behind the answer. */
    pause: () => saver.pause(),
    /** The answer did not go out: it is a draft again. */
    resume: () => saver.change(written),
    /** It was sent, or is no longer wanted. */
    async forget() {
      await saver.pause();
      copy.forget();
      setWritten(NOTHING);
      setBesides([]);
      await saveDraft({ userId, recordingId }, NOTHING, false).catch(() => undefined);
    },
  };
}

const shelfOf = (userId: string): Shelf => ({
  read: (of) => keptText(userId, of),
  keep: (of, text) => keepText(userId, of, text),
});

type Place = { userId: string; recordingId: number };

/** @throws {SomebodyElse} when another tab has signed somebody else in */
async function saveDraft({ userId, recordingId }: Place, { text, marks }: Written, isLeaving: boolean) {
  const body = { text, marks: [...marks] };
  const keepalive = isLeaving && new Blob([JSON.stringify(body)]).size < KEEPALIVE_BYTES;
  const save = () =>
    call('PUT /api/admin/recordings/{id}/draft', { params: { id: recordingId }, body, keepalive });
  // A page that is left has no time to ask.
  if (isLeaving) mustSeemToBe(userId);
  const saving = isLeaving ? save() : mustStillBe(userId).then(save);
  underWay.add(saving);
  try {
    await saving;
  } catch (error) {
    // Withdrawn by its student: there is no place for it at the server, and the card says so.
    if (!(error instanceof CallError && error.status === 404)) throw error;
  } finally {
    underWay.delete(saving);
  }
}
