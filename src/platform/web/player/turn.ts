import type { Clock } from './player-environment.ts';

type TurnOptions = {
  clock: Clock;
  /** Seconds; asked again whenever the turn is aimed anew. */
  length(): number;
  onEnd(): void;
};

/** The student's turn after the passage: silence of a certain length. */
export function createTurn({ clock, length, onEnd }: TurnOptions) {
  let since: number | null = null;
  let callOff = () => {};

  const left = () => (since === null ? 0 : Math.max(0, length() - (clock.now() - since) / 1000));

  function aim(): void {
    callOff();
    if (since === null) return;
    callOff = clock.after(left() * 1000, () => {
      since = null;
      onEnd();
    });
  }

  return {
    isOn: () => since !== null,
    /** Seconds. */
    left,
    begin(): void {
      since = clock.now();
      aim();
    },
    /** After its length has changed; it began when it began. */
    aim,
    /** Ends it early; answers whether there was one. */
    end(): boolean {
      const wasOn = since !== null;
      since = null;
      callOff();
      return wasOn;
    },
  };
}
