import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { chooseSoundUrl } from '#web/audio-ui/playback/media-url.ts';
import { callApi, CallError } from '#web/api/call.ts';
import { queryClient, refreshQueries, createApiQuery, isUnderPath } from '#web/api/query-client.ts';
import { useUser } from '#web/api/session.ts';
import type { StoredRecording } from '#web/audio/stored-recording.ts';
import { removeTake, getTakeStore } from '#features/recordings/web/takes/use-takes.ts';
import type { HeldFeedback } from '#features/feedback/contract.ts';
import { clearSendAttempts, getLastAttemptContent } from '../reply/send-reply.ts';
import { getReplyTakePurpose } from '#features/feedback/web/use-audio-reply.ts';
import { getVoiceTakesPurpose } from '#features/feedback/web/voices/use-mark-voices.ts';

/**
 * URLs to refresh when a held reply is released or undone. `heldQuery` itself refetches drafts and pending
 * recordings.
 */
const REFRESHED_URLS = ['/api/admin/feedback', '/api/admin/pending-recordings', '/api/recordings'] as const;

/**
 * Delay between the end of the undo window and the refresh, so that the server has released the reply by then.
 */
const RELEASE_MARGIN_MS = 700;

/**
 * Ids of the recordings answered from this page, newest reply first. The server's order, by release time, can
 * differ.
 */
let sentRecordingIds: readonly number[] = [];

/** Adds a reply sent from this page to the held replies, so that its card disappears immediately. */
export function addHeldReply(held: HeldFeedback) {
  updateHeldReplies((before) => [held, ...withoutReply(held, before)]);
  const { recordingId } = held;
  sentRecordingIds = [recordingId, ...sentRecordingIds.filter((each) => each !== recordingId)];
}

/**
 * Updates the cached list of held replies. Subtracts the time since the last update from `secondsLeft`, because
 * updating the cache resets `dataUpdatedAt`.
 */
function updateHeldReplies(change: (held: HeldFeedback[]) => HeldFeedback[]) {
  const { queryKey } = heldQuery;
  const since = Date.now() - (queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? Date.now());
  queryClient.setQueryData(queryKey, (before: HeldFeedback[] = []) =>
    change(before.map((each) => ({ ...each, secondsLeft: each.secondsLeft - since / 1000 }))),
  );
}

const withoutReply = ({ recordingId }: HeldFeedback, held: HeldFeedback[]) =>
  held.filter((each) => each.recordingId !== recordingId);

/**
 * Returns this teacher's held replies, with their release time by this device's clock. Replies from this page
 * come first, the newest at the top. Refreshes the list when the next undo window ends.
 */
export function useHeldReplies() {
  const { data, dataUpdatedAt } = useQuery(heldQuery);
  const held = (data ?? [])
    .map((each) => ({ ...each, until: dataUpdatedAt + each.secondsLeft * 1000 }))
    .sort((a, b) => getPosition(a) - getPosition(b));
  const next = held.length === 0 ? null : Math.min(...held.map(({ until }) => until));
  useEffect(() => {
    if (next === null) return;
    const timer = setTimeout(
      () => refreshQueries(REFRESHED_URLS),
      Math.max(0, next - Date.now()) + RELEASE_MARGIN_MS,
    );
    return () => clearTimeout(timer);
  }, [next, dataUpdatedAt]);
  return held;
}

/** Returns whether loading the held replies has finished, successfully or not. */
export const useAreHeldRepliesSettled = () => !useQuery(heldQuery).isPending;

function getPosition({ recordingId }: HeldFeedback) {
  const at = sentRecordingIds.indexOf(recordingId);
  return at === -1 ? sentRecordingIds.length : at;
}

export type HeldReply = ReturnType<typeof useHeldReplies>[number];

/**
 * Calls `onGone` for each reply that is no longer held, because it was released or undone, perhaps in another
 * tab.
 */
export function useOnHeldReplyGone(held: readonly HeldReply[], onGone: (reply: HeldReply) => void) {
  const before = useRef(held);
  const callOnGone = useEffectEvent(onGone);
  useEffect(() => {
    const heldBefore = before.current;
    before.current = held;
    for (const reply of heldBefore)
      if (!held.some(({ recordingId }) => recordingId === reply.recordingId)) callOnGone(reply);
  });
}

/**
 * Returns a mutation that undoes a reply and restores it in its form. The server turns the words into a draft.
 * The audio is restored from this device, which first fetches any missing files, because undo deletes them on
 * the server.
 * @param onBack called when the recording's card may be shown again
 */
export function useUndoReply(onBack: (recordingId: number) => void) {
  const userId = useUser().id;
  return useMutation({
    mutationFn: async (held: HeldReply) => {
      await storeSounds(userId, held);
      await undoReply(userId, held.recordingId);
      await refetchOutcomes();
    },
    onSuccess: (_, held) => {
      updateHeldReplies((before) => withoutReply(held, before));
      onBack(held.recordingId);
    },
    meta: { refreshes: [...REFRESHED_URLS] },
    onError: () => refreshQueries(REFRESHED_URLS),
  });
}

type BulkUndo = {
  together: readonly HeldReply[];
  /** Whether each reply becomes a separate draft. If false, the bulk form already contains the text. */
  keepsDrafts: boolean;
};

/**
 * Returns a mutation that undoes a bulk reply. It fails if any of the replies had already been released, but
 * still undoes the others.
 * @param onBack called with the recordings to return to the bulk form, unless their replies became drafts
 */
export function useUndoBulkReply(onBack: (recordingIds: readonly number[]) => void) {
  const userId = useUser().id;
  return useMutation({
    mutationFn: async ({ together, keepsDrafts }: BulkUndo) => {
      const back: number[] = [];
      let tooLate: CallError | null = null;
      try {
        for (const held of together) {
          try {
            await undoReply(userId, held.recordingId, keepsDrafts ? {} : { keepsDraft: 'false' });
            back.push(held.recordingId);
          } catch (error) {
            if (!isNotFound(error)) throw error;
            tooLate = error;
          }
          if (keepsDrafts) await refetchOutcomes();
          updateHeldReplies((before) => withoutReply(held, before));
        }
      } finally {
        if (back.length > 0 && !keepsDrafts) onBack(back);
      }
      if (tooLate !== null) throw tooLate;
    },
    meta: { refreshes: [...REFRESHED_URLS] },
    onError: () => refreshQueries(REFRESHED_URLS),
  });
}

/** @throws if the response is lost, or if the reply was already released */
async function undoReply(userId: string, id: number, query: { keepsDraft?: 'false' } = {}) {
  try {
    await callApi('DELETE /api/admin/feedback/held/{id}', { params: { id }, query });
  } catch (error) {
    // Ignores 404 if no feedback was released. The reply was then already undone, in another tab or by a call
    // whose response was lost.
    if (!isNotFound(error) || (await fetchFeedback(id))) throw error;
  }
  // Undo has invalidated the idempotency key, so sending the same content again needs a new key.
  clearSendAttempts(userId, id);
}

const isNotFound = (error: unknown): error is CallError => error instanceof CallError && error.status === 404;

async function fetchFeedback(recordingId: number) {
  try {
    return await callApi('GET /api/admin/recordings/{id}/feedback', { params: { id: recordingId } });
  } catch {
    return null;
  }
}

const hasSounds = ({ audioFeedbackUrl, voices }: HeldReply) => audioFeedbackUrl !== null || voices.length > 0;

/**
 * Fetches and stores the reply's audio that this device does not have. The device that sent the reply keeps its
 * copies until the reply is released.
 */
async function storeSounds(userId: string, held: HeldReply) {
  if (!hasSounds(held)) return;
  const { recordingId, audioFeedbackUrl, audioFeedbackDuration: seconds, marks, peaks, voices } = held;
  const takes = await getTakeStore().listOf(userId);
  const keep = async (purpose: string, name: string, facts: TakeDetails, id?: string, start?: number) => {
    const blob = await fetchSound(name);
    const take = {
      userId,
      purpose,
      origin: 'uploaded',
      name,
      type: blob.type,
      mayHaveArrived: true,
    } as const;
    await getTakeStore().keepFile(
      { ...take, sending: start === undefined ? null : { start } },
      blob,
      facts,
      id,
    );
  };
  if (audioFeedbackUrl !== null && !findSpokenTake(takes, userId, held))
    await keep(getReplyTakePurpose(recordingId), audioFeedbackUrl, { seconds, peaks });
  for (const { id, audioUrl, duration, peaks } of voices) {
    if (takes.some((take) => take.id === id)) continue;
    const start = marks.find(({ voice }) => voice === id)?.start;
    const purpose = getVoiceTakesPurpose(getReplyTakePurpose(recordingId));
    await keep(purpose, audioUrl, { seconds: duration, peaks }, id, start);
  }
}

type TakeDetails = Pick<StoredRecording, 'seconds' | 'peaks'>;

/** Finds the device's copy of the spoken part. A fetched copy has the same name as the server's file. */
const findSpokenTake = (takes: readonly StoredRecording[], userId: string, held: HeldReply) =>
  takes.find(
    ({ id, name, purpose }) =>
      purpose === getReplyTakePurpose(held.recordingId) &&
      (id === getLastAttemptContent(userId, held.recordingId)?.sound || name === held.audioFeedbackUrl),
  );

/** Removes a reply's audio from this device if the reply was released, but not if it was undone. */
export async function removeSentSounds(userId: string, held: HeldReply) {
  if (!hasSounds(held)) return;
  const { recordingId, audioFeedbackUrl, voices } = held;
  const takes = await getTakeStore().listOf(userId);
  const answer = await fetchFeedback(recordingId);
  if (answer?.audioFeedbackUrl !== audioFeedbackUrl) return;
  const spoken = audioFeedbackUrl === null ? undefined : findSpokenTake(takes, userId, held);
  const sent = takes.filter((take) => take === spoken || voices.some(({ id }) => id === take.id));
  await Promise.all(sent.map(({ id }) => removeTake(id)));
  clearSendAttempts(userId, recordingId);
}

async function fetchSound(name: string) {
  const response = await fetch(chooseSoundUrl({ name, copies: [] }));
  if (!response.ok) throw new Error('The audio could not be loaded.');
  return response.blob();
}

const heldApiQuery = createApiQuery('GET /api/admin/feedback/held');

/**
 * URLs whose data changes when a reply is no longer held, because it has become a draft again or has answered
 * a pending recording.
 */
const OUTCOME_URLS = ['/api/admin/feedback-drafts', '/api/recordings/pending'] as const;

/** @throws if one of the queries fails */
const refetchOutcomes = () =>
  queryClient.refetchQueries(
    {
      type: 'active',
      predicate: ({ queryKey: [url] }) => OUTCOME_URLS.some((address) => isUnderPath(String(url), address)),
    },
    { throwOnError: true },
  );

/**
 * Query for this teacher's held replies. If the list has changed, refetches `OUTCOME_URLS` before returning
 * it. Otherwise, a card could open before its draft was loaded: it would be empty, and would treat the
 * reply's audio as leftovers.
 */
const heldQuery = {
  ...heldApiQuery,
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const now = await callApi('GET /api/admin/feedback/held', { signal });
    const before = queryClient.getQueryData(heldApiQuery.queryKey);
    if (before && joinIds(before) !== joinIds(now)) await refetchOutcomes();
    return now;
  },
};

const joinIds = (replies: readonly HeldFeedback[]) =>
  replies
    .map(({ recordingId }) => recordingId)
    .sort((a, b) => a - b)
    .join();
