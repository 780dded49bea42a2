import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { createApiQuery } from '#web/api/query-client.ts';
import { useUser } from '#web/api/session.ts';
import type { Recording } from '#features/recordings/contract.ts';
import type { Draft } from '#features/feedback/contract.ts';
import { useLeftoverReplyTakes, useUnsentTakesCheck } from './leftover-takes.ts';
import { listDraftNames, loadDraft, saveDraft } from '#web/drafts/draft-storage.ts';

/**
 * Returns recordings that have an unsent reply but are no longer pending. An answered recording is included
 * if it has a draft, or unsent audio on this device. A withdrawn recording is included if its details are
 * stored on this device.
 * @param pending recordings loaded so far, oldest first
 * @param isWhole whether all pending recordings are loaded
 */
export function useRecordingsWithOrphanedReply(
  pending: readonly Recording[] | undefined,
  isWhole: boolean,
  drafts: readonly Draft[] | undefined,
): Recording[] {
  const userId = useUser().id;
  const [begun] = useState(() => loadBegunRecordings(userId));
  const isKnown = pending !== undefined && drafts !== undefined;
  const voices = useLeftoverReplyTakes();
  const drafted = new Set(drafts?.map(({ recordingId }) => recordingId));
  const last = pending?.at(-1);
  // Until all pages are loaded, checks only recordings that can't be on a later page.
  const mayBeGone = isWhole
    ? [...drafted, ...begun.map(({ id }) => id), ...(voices?.keys() ?? [])]
    : [
        ...(drafts ?? []).filter(({ isAnswered }) => isAnswered).map(({ recordingId }) => recordingId),
        ...begun.filter((each) => last && isBefore(each, last)).map(({ id }) => id),
      ];
  const left = isKnown ? [...new Set(mayBeGone)].filter((id) => !pending.some((each) => each.id === id)) : [];
  const answers = useQueries({
    queries: left.map((id) => createApiQuery('GET /api/admin/recordings/{id}/feedback', { params: { id } })),
  });

  const isUnsent = useUnsentTakesCheck(
    answers.flatMap(({ data }) => data ?? []),
    voices,
  );

  // Ids of answered recordings without an unsent reply, whose stored details are no longer needed.
  const done = left
    .filter((id, index) => answers[index]?.data && !drafted.has(id) && isUnsent(id) === false)
    .join();
  useEffect(() => {
    if (done !== '') for (const id of done.split(',')) removeRecordingOfReply(userId, Number(id));
  }, [userId, done]);

  return left.flatMap((id, index) => {
    const { data, error } = answers[index]!;
    if (data)
      return drafted.has(id) || isUnsent(id) === true
        ? [{ ...data.recording, status: 'reviewed' as const }]
        : [];
    return error?.status === 404 ? begun.filter((each) => each.id === id) : [];
  });
}

/** Returns whether the server lists `a` before `b` among the pending recordings. */
const isBefore = (a: Recording, b: Recording) =>
  a.createdAt === b.createdAt ? a.id < b.id : a.createdAt < b.createdAt;

// The details of recordings with an unsent reply (not their audio) are stored on the device, because the
// server deletes them when the student withdraws the recording.

const BEGUN_PREFIX = 'begun ';

const getBegunName = (recordingId: number) => `${BEGUN_PREFIX}${recordingId}`;

export const storeRecordingOfReply = (userId: string, recording: Recording) =>
  saveDraft(userId, getBegunName(recording.id), recording);

export const removeRecordingOfReply = (userId: string, recordingId: number) =>
  saveDraft(userId, getBegunName(recordingId), null);

/** Returns the recordings that this user has begun to answer on this device, oldest first. */
const loadBegunRecordings = (userId: string): Recording[] =>
  listDraftNames(userId, BEGUN_PREFIX)
    .flatMap((place) => parseRecording(loadDraft(userId, place)))
    .sort((a, b) => a.id - b.id);

function parseRecording(kept: object | null): Recording[] {
  const recording: Partial<Recording> | null = kept;
  return typeof recording?.id === 'number' && recording.student ? [recording as Recording] : [];
}
