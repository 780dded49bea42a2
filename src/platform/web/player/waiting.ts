import type { Clock } from './player-environment.ts';

const SHOWS_AFTER_MS = 300;
const IS_LONG_AFTER_MS = 8_000;

/** How long one has waited for sound: a wait shows itself after a moment, and is a slow connection after a while. */
export function createWaiting(clock: Clock, onChange: () => void) {
  let state: 'no' | 'yes' | 'long' = 'no';
  let callOff = () => {};

  function become(next: typeof state): void {
    state = next;
    onChange();
  }

  function end(): void {
    callOff();
    state = 'no';
  }

  return {
    isShown: () => state !== 'no',
    isLong: () => state === 'long',
    begin(): void {
      callOff();
      const endings = [
        clock.after(SHOWS_AFTER_MS, () => become('yes')),
        clock.after(IS_LONG_AFTER_MS, () => become('long')),
      ];
      callOff = () => endings.forEach((each) => each());
    },
    end,
  };
}
