import { useEffect } from 'react';
import { placeOfKey } from '../inbox/keys/use-shortcuts.ts';

/** Some browsers do not focus a button that is pressed, so Space would not reach it. */
export function useSpaceStops(isOn: boolean, stop: () => void) {
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== ' ' || event.defaultPrevented || placeOfKey(event.target) !== 'page') return;
      event.preventDefault();
      stop();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn, stop]);
}
