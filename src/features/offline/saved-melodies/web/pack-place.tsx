import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { lazyPart } from '#web/navigation/lazy-page.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';
import type { PackBarProps } from './pack-bar.tsx';
import { usePack } from './pack-state.ts';

const Slot = lazyPart(() => import('./pack-slot.tsx'));
const PackBar = lazyPart(() => import('./pack-bar.tsx'));

/** A melody's offline status in its card, once that is known. */
export function PackSlot({ melody }: { melody: MelodySummary }) {
  const isKnown = usePack(({ actions, entries }) => actions !== null || entries.size > 0);
  return isKnown && <LazyBoundary part={Slot} melody={melody} />;
}

/** Loads the pack's bar once something can be stored. Reserves its space from the start, so that nothing moves. */
export function PackPlace(props: PackBarProps) {
  const canKeep = usePack(({ actions }) => actions !== null);
  const room = <div className="min-h-11" />;
  return canKeep ? <LazyBoundary part={PackBar} fallback={room} {...props} /> : room;
}
