import { useSearchParams } from 'wouter';
import { lastPractised } from '#features/practice/web/engine/practice.ts';
import { playerAddress } from '#features/practice/web/player-address.ts';
import { idIn } from '#features/recordings/web/practice-again.ts';

/**
 * Returns the address of the player that the student came from, as they left it: at the line and speed practised
 * last. The player itself remembers the loop. Null for students who came from elsewhere.
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
