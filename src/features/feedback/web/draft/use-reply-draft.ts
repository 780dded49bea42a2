import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  call,
  callAllPages,
  CallError,
  failureOf,
  isOtherUser,
  noteFault,
  sentenceOf,
} from '#web/api/call.ts';
import { useDraft } from '#web/drafts/use-draft.ts';
import { apiQuery } from '#web/api/query-client.ts';
import { useStore } from '#web/use-store.ts';
import { newId } from '#web/uploads/new-id.ts';
import type { Draft } from '#features/feedback/contract.ts';
import { NOTHING, type Written } from './draft.ts';
import { createDraftSaver } from './draft-saver.ts';
import {
  basedOnIn,
  beginReply,
  edited,
  met,
  NO_REPLY,
  packed,
  putAway,
  type ReplyDraft,
  type Revision,
  saved,
  sending,
  swapped,
} from './reply-draft.ts';

/** Just below the browsers' limit for requests that outlive their page; a larger draft stays on the device. */
const KEEPALIVE_BYTES = 60_000;

const pending = new Set<Promise<unknown>>();

/** Query for all drafts on the server, which waits for saves in flight. */
export const draftsQuery = {
  ...apiQuery('GET /api/admin/feedback-drafts'),
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    await Promise.allSettled(pending);
    return callAllPages('GET /api/admin/feedback-drafts', signal);
  },
  gcTime: 0,
};

/**
 * Manages the reply being written to one recording. It is kept on the device and the server until it is sent or
 * dismissed.
 */
export function useReplyDraft(recordingId: number, server: Draft | undefined, isGone: boolean) {
  const of = `reply ${recordingId}`;
  const draft = useDraft<ReplyDraft>({
    of,
    begin: (kept) => beginReply(kept as ReplyDraft | null, server, isGone),
    keep: packed,
  });
  const [problem, setProblem] = useState<DraftTrouble | null>(null);
  const [saver] = useState(() =>
    createDraftSaver<Revision>({
      save: async (now, isLeaving) => {
        if (draft.latest().overtakenBy !== null) throw new Overtaken();
        const basedOn = basedOnIn(draft.latest());
        draft.change(sending(draft.latest(), now.revision));
        try {
          await putDraft(recordingId, now, basedOn, isLeaving);
          setProblem(null);
        } catch (error) {
          noteFault(error);
          setProblem(troubleOf(error));
          if (statusOf(error) !== 409) throw error;
          const theirs = await draftAtServer(recordingId);
          if (theirs) draft.change(met(draft.latest(), theirs));
          throw draft.latest().overtakenBy === null ? error : new Overtaken();
        }
      },
      onSaved: ({ revision }) => draft.change(saved(draft.latest(), revision)),
      isFinal: (error) => error instanceof Overtaken || statusOf(error) === 400,
    }),
  );
  const state = useStore(saver);

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

  // As long as nothing has been changed in the form, it follows changes to the draft by another tab or by undo.
  const isUntouched = useRef(true);
  const revision = server?.revision ?? null;
  const follow = useEffectEvent(() => {
    const latest = draft.latest();
    if (!isUntouched.current || !latest.isOnServer || isGone || latest.known === revision) return;
    draft.change(beginReply(latest, server, isGone));
  });
  useEffect(() => follow(), [revision]);

  const save = (next: ReplyDraft) => {
    isUntouched.current = false;
    draft.change(next);
    saver.change(next.now);
  };
  return {
    written: draft.value.now as Written,
    /** Returns the current content, even for a caller that was rendered before the last change. */
    latest: (): Written => draft.latest().now,
    change: (part: Partial<Written>) => {
      const { text, marks } = draft.latest().now;
      save(edited(draft.latest(), { text, marks, ...part }));
    },
    besides: draft.value.besides,
    /** Swaps another version with the content of the form. */
    use: (other: Revision) => save(swapped(draft.latest(), other)),
    putAway(other: Revision) {
      const before = draft.latest();
      const next = putAway(before, other);
      if (before.overtakenBy === next.overtakenBy) draft.change(next);
      else save(edited(next, next.now));
    },
    saved: state,
    /** Why the draft is only on the device; null also if the connection was lost. */
    trouble: problem,
    flush: () => saver.flush(),
    /** Stops saving, so that no draft arrives at the server after the reply. */
    pause() {
      isUntouched.current = false;
      return saver.pause();
    },
    /** Saves the draft again after sending the reply failed. */
    resume: () => save(edited(draft.latest(), draft.latest().now)),
    /** Deletes the draft after it was sent or discarded. */
    async forget() {
      const paused = saver.pause();
      const basedOn = basedOnIn(draft.latest());
      // Immediately: undo may reopen the form with its restored content before the last save is done.
      draft.change(NO_REPLY);
      await paused;
      await putDraft(recordingId, { ...NOTHING, revision: newId() }, basedOn, false).catch(() => undefined);
    },
  };
}

/** Thrown if the server has another browser's draft and the teacher has yet to choose. */
class Overtaken extends Error {}

/**
 * Why the server did not save a draft: another user signed in in another tab, a client bug, or a rejection with its
 * reason.
 */
export type DraftTrouble = { is: 'somebody else' } | { is: 'fault' } | { is: 'refused'; reason: string };

const statusOf = (error: unknown) => (error instanceof CallError ? error.status : null);

function troubleOf(error: unknown): DraftTrouble | null {
  if (isOtherUser(error)) return { is: 'somebody else' };
  if (failureOf(error) === 'fault') return { is: 'fault' };
  if (statusOf(error) === 400) return { is: 'refused', reason: sentenceOf(error, 'unknown.') };
  return null;
}

/** Returns the server's current draft, or undefined. */
async function draftAtServer(recordingId: number): Promise<Draft | undefined> {
  const [draft] = await call('GET /api/admin/feedback-drafts', { query: { recordingId } });
  return draft;
}

async function putDraft(
  recordingId: number,
  { text, marks, revision }: Revision,
  basedOn: string[],
  isLeaving: boolean,
) {
  const body = { text, marks: [...marks], revision, basedOn };
  const keepalive = isLeaving && new Blob([JSON.stringify(body)]).size < KEEPALIVE_BYTES;
  const saving = call('PUT /api/admin/recordings/{id}/draft', {
    params: { id: recordingId },
    body,
    keepalive,
  });
  pending.add(saving);
  try {
    await saving;
  } catch (error) {
    // The student has withdrawn the recording: the server can't save a draft for it, and the card shows that.
    if (statusOf(error) !== 404) throw error;
  } finally {
    pending.delete(saving);
  }
}
