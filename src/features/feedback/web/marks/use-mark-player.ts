import { useEffect, useState, useSyncExternalStore } from 'react';
import { createMarkPlayer } from './mark-player.ts';
import { placeOfKey } from '../inbox/use-shortcuts.ts';

/** A {@link createMarkPlayer} for one recording; `take` goes to its player as `onAudio`. */
export function useMarkPlayer() {
  const [player] = useState(() => createMarkPlayer());
  const heard = useSyncExternalStore(player.subscribe, player.getSnapshot, player.getSnapshot);
  const isOn = heard.sounds !== 'nothing';

  // Some browsers give no focus to a button that is pressed, so that Space would not reach it.
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== ' ' || event.defaultPrevented || placeOfKey(event.target) !== 'page') return;
      event.preventDefault();
      player.stop();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [player, isOn]);

  return { player, heard };
}
