import { useEffect, useState } from 'react';
import { useSpaceStops } from '#features/feedback/web/marks/use-space-stops.ts';
import { useStore } from '#web/use-store.ts';
import { createLinePlayer } from './line-player.ts';

/** A {@link createLinePlayer} for as long as its component is there. */
export function useLinePlayer() {
  const [player] = useState(() => createLinePlayer());
  const heard = useStore(player);
  useEffect(() => player.end, [player]);
  useSpaceStops(heard.button !== null, player.stop);
  return { player, heard };
}
