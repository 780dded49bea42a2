import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';
import type { PackBarProps } from './pack-bar.tsx';
import { usePack } from './pack-state.ts';

const PackStatus = createLazyComponent(() => import('./pack-status.tsx'));
const PackBar = createLazyComponent(() => import('./pack-bar.tsx'));

/** A melody's offline status, shown in its card as soon as it is known. */
export function LazyPackStatus({ melody }: { melody: MelodySummary }) {
  const isKnown = usePack(({ actions, entries }) => actions !== null || entries.size > 0);
  return isKnown && <LazyBoundary part={PackStatus} melody={melody} />;
}

/**
 * Loads the pack's bar once melodies can be stored. Reserves its space from the start, so that nothing moves.
 */
export function LazyPackBar(props: PackBarProps) {
  const canKeep = usePack(({ actions }) => actions !== null);
  const room = <div className="min-h-11" />;
  return canKeep ? <LazyBoundary part={PackBar} fallback={room} {...props} /> : room;
}
