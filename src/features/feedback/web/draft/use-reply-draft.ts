import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  callApi,
  fetchAllPages,
  CallError,
  classifyError,
  isOtherUserError,
  logUnexpectedError,
  getErrorMessage,
} from '#web/api/call.ts';
import { useFormDraft } from '#web/drafts/use-form-draft.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { useStore } from '#web/use-store.ts';
import { createUuid } from '#web/uploads/create-uuid.ts';
import type { Draft } from '#features/feedback/contract.ts';
import { EMPTY_REPLY, type WrittenReply } from './written-reply.ts';
import { createDraftSaver } from './draft-saver.ts';
import {
  getBaseRevisions,
  createReplyDraft,
  editDraft,
  addConflictingVersion,
  EMPTY_REPLY_DRAFT,
  toStoredDraft,
  discardVersion,
  type ReplyDraft,
  type DraftVersion,
  confirmRevision,
  addUnconfirmedRevision,
  swapVersion,
} from './reply-draft.ts';

/**
 * Maximum size of a draft that can be sent while the page closes, in bytes. Slightly below 64 KiB, the
 * browsers' limit for keepalive requests. A larger draft may not reach the server before the page closes, and
 * then exists only on this device.
 */
const MAX_KEEPALIVE_BYTES = 60_000;

const pendingSaves = new Set<Promise<unknown>>();

/** Query for all of this teacher's drafts on the server. Waits for saves in flight before it fetches. */
export const replyDraftsQuery = {
  ...createApiQuery('GET /api/admin/feedback-drafts'),
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    await Promise.allSettled(pendingSaves);
    return fetchAllPages('GET /api/admin/feedback-drafts', signal);
  },
  gcTime: 0,
};

/**
 * Manages the draft of the reply to one recording. It is stored on the device and the server until the reply is
 * sent or discarded.
 */
export function useReplyDraft(recordingId: number, server: Draft | undefined, isGone: boolean) {
  const draftName = `reply ${recordingId}`;
  const draft = useFormDraft<ReplyDraft>({
    name: draftName,
    restore: (kept) => createReplyDraft(kept as ReplyDraft | null, server, isGone),
    toStored: toStoredDraft,
  });
  const [problem, setProblem] = useState<DraftProblem | null>(null);
  const [saver] = useState(() =>
    createDraftSaver<DraftVersion>({
      save: async (now, isLeaving) => {
        if (draft.latest().overtakenBy !== null) throw new DraftConflictError();
        const basedOn = getBaseRevisions(draft.latest());
        draft.change(addUnconfirmedRevision(draft.latest(), now.revision));
        try {
          await putDraft(recordingId, now, basedOn, isLeaving);
          setProblem(null);
        } catch (error) {
          logUnexpectedError(error);
          setProblem(toDraftProblem(error));
          if (getStatus(error) !== 409) throw error;
          const theirs = await fetchServerDraft(recordingId);
          if (theirs) draft.change(addConflictingVersion(draft.latest(), theirs));
          throw draft.latest().overtakenBy === null ? error : new DraftConflictError();
        }
      },
      onSaved: ({ revision }) => draft.change(confirmRevision(draft.latest(), revision)),
      isFinal: (error) => error instanceof DraftConflictError || getStatus(error) === 400,
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

  // Until the teacher edits the form, it shows the changes that other tabs or undo make to the draft.
  const isUntouched = useRef(true);
  const revision = server?.revision ?? null;
  const follow = useEffectEvent(() => {
    const latest = draft.latest();
    if (!isUntouched.current || !latest.isOnServer || isGone || latest.known === revision) return;
    draft.change(createReplyDraft(latest, server, isGone));
  });
  useEffect(() => follow(), [revision]);

  const save = (next: ReplyDraft) => {
    isUntouched.current = false;
    draft.change(next);
    saver.scheduleSave(next.now);
  };
  return {
    written: draft.value.now as WrittenReply,
    /** Returns the current content, even to a callback from an older render. */
    latest: (): WrittenReply => draft.latest().now,
    change: (part: Partial<WrittenReply>) => {
      const { text, marks } = draft.latest().now;
      save(editDraft(draft.latest(), { text, marks, ...part }));
    },
    conflictingVersions: draft.value.besides,
    /** Puts another version into the form, and keeps the form's content as a version unless it is empty. */
    swapVersion: (other: DraftVersion) => save(swapVersion(draft.latest(), other)),
    discardVersion(other: DraftVersion) {
      const before = draft.latest();
      const next = discardVersion(before, other);
      if (before.overtakenBy === next.overtakenBy) draft.change(next);
      else save(editDraft(next, next.now));
    },
    saveState: state,
    /**
     * Why the server did not save the draft; null if it did, if the connection was lost, or if versions
     * conflict.
     */
    problem,
    flush: () => saver.flush(),
    /** Stops saving, so that no draft arrives at the server after the reply. */
    pause() {
      isUntouched.current = false;
      return saver.pause();
    },
    /** Resumes saving the draft after the reply could not be sent. */
    resume: () => save(editDraft(draft.latest(), draft.latest().now)),
    /** Deletes the draft after the reply has been sent or discarded. */
    async deleteDraft() {
      const paused = saver.pause();
      const basedOn = getBaseRevisions(draft.latest());
      // Clears the form before the last save has finished, because undo may reopen the form with restored
      // content before then.
      draft.change(EMPTY_REPLY_DRAFT);
      await paused;
      await putDraft(recordingId, { ...EMPTY_REPLY, revision: createUuid() }, basedOn, false).catch(
        () => undefined,
      );
    },
  };
}

/** Thrown if the server has another browser's draft and the teacher has not chosen a version yet. */
class DraftConflictError extends Error {}

/**
 * Why the server did not save a draft: another user has signed in (in another tab), the client has a bug, or
 * the server rejected the draft for a reason.
 */
export type DraftProblem = { is: 'somebody else' } | { is: 'fault' } | { is: 'refused'; reason: string };

const getStatus = (error: unknown) => (error instanceof CallError ? error.status : null);

function toDraftProblem(error: unknown): DraftProblem | null {
  if (isOtherUserError(error)) return { is: 'somebody else' };
  if (classifyError(error) === 'fault') return { is: 'fault' };
  if (getStatus(error) === 400) return { is: 'refused', reason: getErrorMessage(error, 'unknown.') };
  return null;
}

/** Returns the server's current draft, or undefined. */
async function fetchServerDraft(recordingId: number): Promise<Draft | undefined> {
  const [draft] = await callApi('GET /api/admin/feedback-drafts', { query: { recordingId } });
  return draft;
}

async function putDraft(
  recordingId: number,
  { text, marks, revision }: DraftVersion,
  basedOn: string[],
  isLeaving: boolean,
) {
  const body = { text, marks: [...marks], revision, basedOn };
  const keepalive = isLeaving && new Blob([JSON.stringify(body)]).size < MAX_KEEPALIVE_BYTES;
  const saving = callApi('PUT /api/admin/recordings/{id}/draft', {
    params: { id: recordingId },
    body,
    keepalive,
  });
  pendingSaves.add(saving);
  try {
    await saving;
  } catch (error) {
    // Ignores 404, which means that the student has withdrawn the recording. The card shows that.
    if (getStatus(error) !== 404) throw error;
  } finally {
    pendingSaves.delete(saving);
  }
}
