/** Number of attempts up to which all are offered. */
const MAX_SHOWN_ATTEMPTS = 4;

type Attempt = { id: number };

/**
 * Returns the attempts to offer: all if there are at most four, otherwise the first, the last two, the attempt
 * being compared (`own`) and the attempt that the user has chosen.
 * @param attempts earliest first
 */
export function selectAttempts<A extends Attempt>(
  attempts: readonly A[],
  { own, chosen }: { own: number; chosen: number | null },
): A[] {
  if (attempts.length <= MAX_SHOWN_ATTEMPTS) return [...attempts];
  const always = new Set([attempts[0], ...attempts.slice(-2)]);
  return attempts.filter((attempt) => always.has(attempt) || attempt.id === own || attempt.id === chosen);
}
