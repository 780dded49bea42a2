import { useSearchParams } from 'wouter';
import { listLastPractisedMelodies } from '#features/practice/web/engine/practice-settings.ts';
import { getPlayerUrl } from '#features/practice/web/player-url.ts';
import { parseIdParameter } from '#features/recordings/web/practice-paths.ts';

/**
 * Returns the URL of the player that the student came from, at the line and speed practised last; null if they
 * came from elsewhere. The player itself remembers the loop.
 */
export function usePlayerReturnPath(): string | null {
  const [search] = useSearchParams();
  const melodyId = parseIdParameter(search.get('player'));
  if (melodyId === null) return null;
  return getPlayerUrl(
    melodyId,
    listLastPractisedMelodies().find((each) => each.melodyId === melodyId),
  );
}
