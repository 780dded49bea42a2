import { useEffect, useState, useSyncExternalStore } from 'react';
import { call, CallError, isOtherUser, sentenceOf } from '../../../../platform/web/call.ts';
import { loadDraft, saveDraft } from '../../../../platform/web/drafts/draft-storage.ts';
import { apiQuery } from '../../../../platform/web/query-client.ts';
import { useUser } from '../../../../platform/web/session.ts';
import type { Draft } from '../../contract.ts';
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
  const [trouble, setTrouble] = useState<DraftTrouble | null>(null);
  const [saver] = useState(() =>
    createDraftSaver({
      keep: copy.keep,
      save: async (now, isLeaving) => {
        if (copy.isOvertaken()) throw new Overtaken();
        const basedOn = copy.digests();
        copy.noteSending(now);
        try {
          await putDraft(recordingId, { ...now, basedOn }, isLeaving);
          setTrouble(null);
        } catch (error) {
          setTrouble(troubleOf(error));
          if (!isConflict(error)) throw error;
          const theirs = await draftAtServer(recordingId);
          if (!theirs || !copy.meet(theirs)) throw error;
          setBesides(copy.besides());
          throw new Overtaken();
        }
      },
      isFinal: (error) => error instanceof Overtaken || statusOf(error) === 400,
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
    putAway(other: Written) {
      const wasOvertaken = copy.isOvertaken();
      setBesides(copy.putAway(other));
      if (wasOvertaken && !copy.isOvertaken()) saver.change(written);
    },
    saved,
    /** Why it stays on the device for now, where that is no lost connection. */
    trouble,
    flush: () => saver.flush(),
    /** Nothing of it may reach the server behind the answer. */
    pause: () => saver.pause(),
    /** The answer did not go out: it is a draft again. */
    resume: () => saver.change(written),
    /** It was sent, or is no longer wanted. */
    async forget() {
      await saver.pause();
      const basedOn = copy.digests();
      copy.forget();
      setWritten(NOTHING);
      setBesides([]);
      await putDraft(recordingId, { ...NOTHING, basedOn }, false).catch(() => undefined);
    },
  };
}

const shelfOf = (userId: string): Shelf => ({
  read: (of) => loadDraft(userId, of),
  keep: (of, value) => saveDraft(userId, of, value),
});

/** The server has a draft from another browser, and one has yet to choose. */
class Overtaken extends Error {}

/** Another tab has signed somebody else in; or the server will not have it as it is, and says why. */
export type DraftTrouble = { is: 'somebody else' } | { is: 'refused'; reason: string };

const statusOf = (error: unknown) => (error instanceof CallError ? error.status : null);
const isConflict = (error: unknown) => statusOf(error) === 409;

function troubleOf(error: unknown): DraftTrouble | null {
  if (isOtherUser(error)) return { is: 'somebody else' };
  if (statusOf(error) === 400) return { is: 'refused', reason: sentenceOf(error, 'it did not say why.') };
  return null;
}

/** As it is there now; undefined for none. */
async function draftAtServer(recordingId: number): Promise<Draft | undefined> {
  const drafts = await call('GET /api/admin/feedback-drafts');
  return drafts.find((draft) => draft.recordingId === recordingId);
}

async function putDraft(
  recordingId: number,
  { text, marks, basedOn }: Written & { basedOn: string[] },
  isLeaving: boolean,
) {
  const body = { text, marks: [...marks], basedOn };
  const keepalive = isLeaving && new Blob([JSON.stringify(body)]).size < KEEPALIVE_BYTES;
  const saving = call('PUT /api/admin/recordings/{id}/draft', {
    params: { id: recordingId },
    body,
    keepalive,
  });
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
