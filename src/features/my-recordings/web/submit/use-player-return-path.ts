import { useSearchParams } from 'wouter';
import { listLastPractised } from '#features/practice/web/engine/practice-settings.ts';
import { getPlayerUrl } from '#features/practice/web/player-url.ts';
import { parseId } from '#features/recordings/web/practice-paths.ts';

/**
 * Returns the address of the player that the student came from, as they left it: at the line and speed practised
 * last. The player itself remembers the loop. Null for students who came from elsewhere.
 */
export function usePlayerReturnPath(): string | null {
  const [search] = useSearchParams();
  const melodyId = parseId(search.get('player'));
  if (melodyId === null) return null;
  return getPlayerUrl(
    melodyId,
    listLastPractised().find((each) => each.melodyId === melodyId),
  );
}
