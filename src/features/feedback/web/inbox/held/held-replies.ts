import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { ChosenAudio } from '../../../../../platform/web/audio-ui/upload/chosen-audio.ts';
import { WAV_HEADER_BYTES } from '../../../../../platform/web/audio/wav.ts';
import { soundUrl } from '../../../../../platform/web/audio-ui/playback/media-url.ts';
import { call, CallError } from '../../../../../platform/web/call.ts';
import { apiQuery, queryClient, refresh } from '../../../../../platform/web/query-client.ts';
import { useUser } from '../../../../../platform/web/session.ts';
import type { StoredRecording } from '../../../../../platform/web/takes/stored-recording.ts';
import { removeTake, takeStore } from '../../../../../platform/web/takes/use-takes.ts';
import type { ChosenFile } from '../../../../../platform/web/uploads/page-upload.ts';
import type { HeldFeedback } from '../../../contract.ts';
import { lastContent } from '../reply/send-attempts.ts';
import { draftsQuery } from '../../draft/use-reply-draft.ts';
import { voicesPurpose } from '../../voices/use-voices.ts';

const heldQuery = apiQuery('GET /api/admin/feedback/held');

/** What follows when one goes out, or is taken back. */
const FOLLOWS = [
  '/api/admin/feedback',
  '/api/admin/feedback-drafts',
  '/api/admin/pending-recordings',
  '/api/recordings',
] as const;

/** By so much it may go out before this device expects it. */
const EARLY_MS = 1_500;

/** After the server has let it out. */
const LATE_MS = 700;

/** What was spoken in the reply that was sent last from this page, so that it need not be fetched again. */
let last: ({ recordingId: number } & Spoken) | null = null;

/** Recordings that were answered from this page, the last one first: the server orders by when each goes out. */
let sentHere: readonly number[] = [];

/** The spoken part of a reply, and the voices of its marks. */
type Spoken = { audio: ChosenAudio | null; voices: readonly ChosenFile[] };

/** What was kept on the device by a try to undo whose answer was lost, by recording. */
const keptBefore = new Map<number, StoredRecording>();

/** A reply from this page is held: its card leaves at once. */
export function noteHeld(held: HeldFeedback, spoken: Spoken) {
  changeHeld((before) => [held, ...without(held, before)]);
  const { recordingId } = held;
  last = { recordingId, ...spoken };
  sentHere = [recordingId, ...sentHere.filter((each) => each !== recordingId)];
}

/** Changes what is known of them; the time that each has left goes on. */
function changeHeld(change: (held: HeldFeedback[]) => HeldFeedback[]) {
  const { queryKey } = heldQuery;
  const since = Date.now() - (queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? Date.now());
  queryClient.setQueryData(queryKey, (before: HeldFeedback[] = []) =>
    change(before.map((each) => ({ ...each, secondsLeft: each.secondsLeft - since / 1000 }))),
  );
}

const without = ({ recordingId }: HeldFeedback, held: HeldFeedback[]) =>
  held.filter((each) => each.recordingId !== recordingId);

/** The replies of this teacher that have not gone out yet, newest first, and until when by this device's clock. */
export function useHeldReplies() {
  const { data, dataUpdatedAt } = useQuery(heldQuery);
  const held = (data ?? [])
    .map((each) => ({ ...each, until: dataUpdatedAt + each.secondsLeft * 1000 }))
    .sort((a, b) => placeOf(a) - placeOf(b));
  const next = held.length === 0 ? null : Math.min(...held.map(({ until }) => until));
  useEffect(() => {
    if (next === null) return;
    const timer = setTimeout(() => refresh(FOLLOWS), Math.max(0, next - Date.now()) + LATE_MS);
    return () => clearTimeout(timer);
  }, [next, dataUpdatedAt]);
  return held;
}

/** Whether the held replies have been loaded, or could not be. */
export const useIsHeldKnown = () => !useQuery(heldQuery).isPending;

function placeOf({ recordingId }: HeldFeedback) {
  const at = sentHere.indexOf(recordingId);
  return at === -1 ? sentHere.length : at;
}

export type HeldReply = ReturnType<typeof useHeldReplies>[number];

/** Tells of each that is no longer held before its time: it was taken back, perhaps in another tab. */
export function useTakenBack(held: readonly HeldReply[], onTakenBack: (recordingId: number) => void) {
  const before = useRef(held);
  const tell = useEffectEvent(onTakenBack);
  useEffect(() => {
    const heldBefore = before.current;
    before.current = held;
    for (const { recordingId, until } of heldBefore)
      if (Date.now() < until - EARLY_MS && !held.some((each) => each.recordingId === recordingId))
        tell(recordingId);
  });
}

/**
 * Takes a reply back into its form: its words by the draft that the server makes of it, its sounds by this device's
 * store, before they are deleted at the server.
 * @param onBack called once its card may be shown again
 */
export function useUndo(onBack: (recordingId: number) => void) {
  const userId = useUser().id;
  return useMutation({
    mutationFn: async (held: HeldReply) => {
      const { recordingId } = held;
      const kept = await keepSound(userId, held);
      const keptVoices = await keepVoices(userId, held);
      try {
        await takeBack(recordingId);
      } catch (error) {
        const isOut = wasTooLate(error);
        if (isOut) keptBefore.delete(recordingId);
        if (isOut && kept) await removeTake(kept.id);
        if (isOut) await Promise.all(keptVoices.map(removeTake));
        throw error;
      }
      keptBefore.delete(recordingId);
      await queryClient.refetchQueries({ queryKey: draftsQuery.queryKey });
    },
    onSuccess: (_, held) => {
      changeHeld((before) => without(held, before));
      onBack(held.recordingId);
    },
    meta: { refreshes: [...FOLLOWS] },
    onError: () => refresh(FOLLOWS),
  });
}

type Together = {
  together: readonly HeldReply[];
  /** Each becomes a draft of its own; else their common form has the text. */
  keepsDrafts: boolean;
};

/**
 * Takes back what was sent to several together.
 * @param onBack called with those that came back to the common form, also where others have gone out already
 */
export function useUndoTogether(onBack: (recordingIds: readonly number[]) => void) {
  return useMutation({
    mutationFn: async ({ together, keepsDrafts }: Together) => {
      const back: number[] = [];
      let tooLate: CallError | null = null;
      try {
        for (const held of together) {
          try {
            await takeBack(held.recordingId, keepsDrafts ? {} : { keepsDraft: 'false' });
            back.push(held.recordingId);
          } catch (error) {
            if (!wasTooLate(error)) throw error;
            tooLate = error;
          }
          if (keepsDrafts) await queryClient.refetchQueries({ queryKey: draftsQuery.queryKey });
          changeHeld((before) => without(held, before));
        }
      } finally {
        if (back.length > 0 && !keepsDrafts) onBack(back);
      }
      if (tooLate !== null) throw tooLate;
    },
    meta: { refreshes: [...FOLLOWS] },
    onError: () => refresh(FOLLOWS),
  });
}

/** @throws where the answer is lost, or it has gone out */
async function takeBack(id: number, query: { keepsDraft?: 'false' } = {}) {
  try {
    await call('DELETE /api/admin/feedback/held/{id}', { params: { id }, query });
  } catch (error) {
    // It may have been taken back by a call whose answer was lost, or in another tab.
    if (!wasTooLate(error) || (await isAnswered(id))) throw error;
  }
}

const wasTooLate = (error: unknown): error is CallError => error instanceof CallError && error.status === 404;

async function isAnswered(recordingId: number) {
  try {
    await call('GET /api/admin/recordings/{id}/feedback', { params: { id: recordingId } });
    return true;
  } catch {
    return false;
  }
}

/** @returns the stored copy of its sound, which the card finds; null where it has none */
async function keepSound(userId: string, held: HeldReply) {
  const { recordingId, audioFeedbackUrl: name, audioFeedbackDuration, peaks } = held;
  if (name === null) return null;
  const purpose = `reply ${recordingId}`;
  // Its page may have been closed before it removed the sound.
  const id = keptBefore.get(recordingId)?.id ?? lastContent(userId, recordingId)?.sound;
  const there = id && (await takeStore().get(id));
  if (there) return there;
  const sent = last?.recordingId === recordingId ? last.audio : null;
  const blob = sent?.blob ?? (await fetchSound(name));
  const origin = sent?.origin ?? 'uploaded';
  const kept = await takeStore().keepFile(
    { userId, purpose, origin, name: sent?.name ?? name, type: blob.type },
    // Of what was recorded the store has the samples alone.
    origin === 'recorded' ? blob.slice(WAV_HEADER_BYTES) : blob,
    { seconds: sent?.seconds ?? audioFeedbackDuration, peaks: sent?.peaks ?? peaks },
  );
  keptBefore.set(recordingId, kept);
  return kept;
}

/** @returns the ids of the stored copies of its marks' voices */
async function keepVoices(userId: string, { recordingId, voices }: HeldReply) {
  const purpose = voicesPurpose(`reply ${recordingId}`);
  for (const { id, audioUrl: name, duration: seconds, peaks } of voices) {
    if (await takeStore().get(id)) continue;
    const blob = last?.voices.find(({ kept }) => kept === id)?.blob ?? (await fetchSound(name));
    const take = { userId, purpose, origin: 'uploaded', name, type: blob.type } as const;
    await takeStore().keepFile(take, blob, { seconds, peaks }, id);
  }
  return voices.map(({ id }) => id);
}

async function fetchSound(name: string) {
  const response = await fetch(soundUrl({ name, copies: [] }));
  if (!response.ok) throw new Error('The sound could not be fetched.');
  return response.blob();
}
