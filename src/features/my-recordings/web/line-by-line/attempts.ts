/** So many stand side by side; of more, some are chosen. */
const ALL_MAX = 4;

type Attempt = { id: number };

/**
 * The attempts that are offered: all, or of many the first, the last two, the one that it is about, and one that was
 * chosen besides.
 * @param attempts the earliest first
 */
export function offeredAttempts<A extends Attempt>(
  attempts: readonly A[],
  { own, chosen }: { own: number; chosen: number | null },
): A[] {
  if (attempts.length <= ALL_MAX) return [...attempts];
  const always = new Set([attempts[0], ...attempts.slice(-2)]);
  return attempts.filter((attempt) => always.has(attempt) || attempt.id === own || attempt.id === chosen);
}
