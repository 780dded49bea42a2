import { useState } from 'react';
import type { MelodySummary } from '#features/melodies/contract.ts';
import type { LibraryOutcome } from './outcome-notices.tsx';

/**
 * The teacher's last action, shown where it happened: `inList` in the card or in its place, `missing` above a list that
 * no longer has the card. It stays until the next one; what was removed from another list is not shown in this one.
 */
export function useOutcome(found: readonly MelodySummary[], listed: string) {
  const [last, setLast] = useState<{ outcome: LibraryOutcome; listed: string } | null>(null);
  const say = (outcome: LibraryOutcome) => setLast({ outcome, listed });
  if (!last) return { inList: null, missing: null, say };
  const { outcome } = last;
  const isThisList = last.listed === listed;
  const isInList =
    outcome.what === 'deleted'
      ? isThisList && found.length > 0
      : found.some(({ id }) => id === outcome.melody.id);
  return { inList: isInList ? outcome : null, missing: isThisList && !isInList ? outcome : null, say };
}
