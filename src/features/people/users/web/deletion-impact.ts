import type { ListedUser } from '../contract.ts';

/**
 * Returns a sentence about what is deleted along with a user, '14 recordings and 9 replies go with it.', or
 * null if nothing is.
 */
export function deletionImpact({
  recordingCount,
  feedbackCount,
}: Pick<ListedUser, 'recordingCount' | 'feedbackCount'>) {
  const things = [
    ...(recordingCount > 0 ? [counted(recordingCount, 'recording', 'recordings')] : []),
    ...(feedbackCount > 0 ? [counted(feedbackCount, 'reply', 'replies')] : []),
  ];
  if (things.length === 0) return null;
  const isOne = recordingCount + feedbackCount === 1;
  return `${things.join(' and ')} ${isOne ? 'goes' : 'go'} with it.`;
}

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
