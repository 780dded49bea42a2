import { useSearchParams } from 'wouter';
import { lastPractised } from '#features/practice/web/engine/practice.ts';
import { playerAddress } from '#features/practice/web/player-address.ts';
import { idIn } from '#features/recordings/web/practice-again.ts';

/**
 * The address of the player that one came from, as it was left: at the line and the speed that were practised last. The
 * loop it remembers itself. Null for who came from elsewhere.
 */
export function usePlayerLeft(): string | null {
  const [search] = useSearchParams();
  const melodyId = idIn(search.get('player'));
  if (melodyId === null) return null;
  return playerAddress(
    melodyId,
    lastPractised().find((each) => each.melodyId === melodyId),
  );
}
