import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';

/**
 * Returns the index that a melody had in this list. The list is sorted newest first, with melodies without
 * audio last.
 */
export function findListPosition(melodies: readonly MelodySummary[], melody: MelodySummary): number {
  const { createdAt, id } = melody;
  const next = melodies.findIndex((other) =>
    (other.audioUrl === null) === (melody.audioUrl === null)
      ? other.createdAt < createdAt || (other.createdAt === createdAt && other.id < id)
      : other.audioUrl === null,
  );
  return next === -1 ? melodies.length : next;
}

const load = () => import('./outcome-notices.tsx');

export const LazyMelodyUpdatedNotice = createLazyComponent(async () => ({
  default: (await load()).MelodyUpdatedNotice,
}));
export const LazyRemovedCardNotice = createLazyComponent(async () => ({
  default: (await load()).RemovedCardNotice,
}));

/**
 * Preloads the code of the notices about a changed or deleted melody. Called when the dialog for the change
 * opens.
 */
export const preloadOutcomeNotices = () =>
  Promise.all([LazyMelodyUpdatedNotice.preload(), LazyRemovedCardNotice.preload()]);
