import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiQuery } from '../../../../platform/web/query-client.ts';
import { useUser } from '../../../../platform/web/session.ts';
import type { Recording } from '../../../recordings/contract.ts';
import type { Draft } from '../../contract.ts';
import { begunRecordings, forgetBegun } from './begun-recordings.ts';

/**
 * Recordings that are no longer pending though a reply was begun: those with a draft that were answered meanwhile, and
 * those that were withdrawn, of which only this device has a copy.
 */
export function useOrphanedReplies(
  pending: readonly Recording[] | undefined,
  drafts: readonly Draft[] | undefined,
): Recording[] {
  const userId = useUser().id;
  const [begun] = useState(() => begunRecordings(userId));
  const isKnown = pending !== undefined && drafts !== undefined;
  const drafted = new Set(drafts?.map(({ recordingId }) => recordingId));
  const ids = new Set([...drafted, ...begun.map(({ id }) => id)]);
  const left = isKnown ? [...ids].filter((id) => !pending.some((each) => each.id === id)) : [];
  const answers = useQueries({
    queries: left.map((id) => apiQuery('GET /api/admin/recordings/{id}/feedback', { params: { id } })),
  });

  // The reply was sent, from here or elsewhere.
  const done = left.filter((id, index) => answers[index]?.data && !drafted.has(id)).join();
  useEffect(() => {
    if (done !== '') for (const id of done.split(',')) forgetBegun(userId, Number(id));
  }, [userId, done]);

  return left.flatMap((id, index) => {
    const { data, error } = answers[index]!;
    if (data) return drafted.has(id) ? [{ ...data.recording, status: 'reviewed' as const }] : [];
    return error?.status === 404 ? begun.filter((each) => each.id === id) : [];
  });
}
