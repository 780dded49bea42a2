import { lazyPart } from '#web/navigation/lazy-page.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';

/** Index at which a melody was among these, newest first. */
export function placeAmong(melodies: readonly MelodySummary[], { createdAt, id }: MelodySummary): number {
  const next = melodies.findIndex(
    (other) => other.createdAt < createdAt || (other.createdAt === createdAt && other.id < id),
  );
  return next === -1 ? melodies.length : next;
}

const load = () => import('./outcome-notices.tsx');

export const UpdatedHere = lazyPart(async () => ({ default: (await load()).UpdatedHere }));
export const MissingCard = lazyPart(async () => ({ default: (await load()).MissingCard }));

/** While a dialog is open that has an outcome. */
export const preloadOutcomes = () => Promise.all([UpdatedHere.preload(), MissingCard.preload()]);
