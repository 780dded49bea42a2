import type { ListedUser } from '../contract.ts';

/**
 * Returns a sentence about what is deleted along with a user: '14 recordings and the feedback on 9 of them
 * will be deleted too.' Null if the user has no recordings.
 */
export function describeDeletionImpact({
  recordingCount,
  feedbackCount,
}: Pick<ListedUser, 'recordingCount' | 'feedbackCount'>) {
  if (recordingCount === 0) return null;
  const isOne = recordingCount === 1;
  const recordings = `${recordingCount.toLocaleString('en')} ${isOne ? 'recording' : 'recordings'}`;
  if (feedbackCount === 0) return `${recordings} will be deleted too.`;
  const feedback =
    feedbackCount === recordingCount
      ? `${isOne ? 'its' : 'their'} feedback`
      : `the feedback on ${feedbackCount.toLocaleString('en')} of them`;
  return `${recordings} and ${feedback} will be deleted too.`;
}
