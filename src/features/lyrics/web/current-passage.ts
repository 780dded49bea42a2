import { useMemo, useSyncExternalStore } from 'react';
import type { PracticeTransport } from '#web/audio/practice-transport.ts';
import { type SungLineStart, findPassageIndexAt } from '../timings.ts';

/** The parts of a clock that determine the current line. */
type FollowedClock = Pick<PracticeTransport, 'now' | 'isPlaying' | 'subscribe'>;

/**
 * Returns the index of the passage at the current position; -1 if there is none. Re-renders the component
 * only when the index changes.
 */
export function useCurrentPassageIndex(
  clock: FollowedClock | null,
  passages: readonly SungLineStart[],
): number {
  const { subscribe, get } = useMemo(() => createLitPassageStore(clock, passages), [clock, passages]);
  return useSyncExternalStore(subscribe, get, () => -1);
}

/**
 * Returns whether playback is active. Also returns true while the melody is buffering, and during the student's
 * turn.
 */
export const useIsPlaybackActive = (clock: PracticeTransport | null) =>
  useClock(clock, () => clock?.isOn() ?? false);

function useClock(clock: PracticeTransport | null, get: () => boolean): boolean {
  const subscribe = useMemo(
    () => (listener: () => void) => clock?.subscribe(listener) ?? (() => undefined),
    [clock],
  );
  return useSyncExternalStore(subscribe, get, () => false);
}

/**
 * Creates a store with the index of the current passage. Updates it on every frame while the melody plays,
 * and otherwise only when the clock reports a change.
 */
function createLitPassageStore(clock: FollowedClock | null, passages: readonly SungLineStart[]) {
  const findIndex = () => {
    if (!clock || passages.length === 0) return -1;
    const now = clock.now();
    // Returns -1 before playback starts, because no line is being sung, even if the first line starts at 0.
    return now === 0 && !clock.isPlaying() ? -1 : findPassageIndexAt(passages, now);
  };
  let place = findIndex();

  return {
    get: () => place,
    subscribe(listener: () => void) {
      if (!clock || passages.length === 0) return () => undefined;
      let frame = 0;
      const follow = () => {
        const next = findIndex();
        frame = clock.isPlaying() ? requestAnimationFrame(follow) : 0;
        if (next === place) return;
        place = next;
        listener();
      };
      const onChange = () => {
        cancelAnimationFrame(frame);
        follow();
      };
      const leave = clock.subscribe(onChange);
      onChange();
      return () => {
        leave();
        cancelAnimationFrame(frame);
      };
    },
  };
}
