import { createScope } from '#web/api/scope.ts';
import { createLoopTimer } from './loop-timer.ts';
import type { Clock } from './player-environment.ts';
import type { PracticePlayer } from './practice-player.ts';

/** A loop would begin anew at its end: the passage is over a little before. */
const BEFORE_END_SECONDS = 0.03;

export type PassagePlayer = Pick<PracticePlayer, 'clock' | 'pause' | 'subscribeToTime' | 'position'>;

type PassageOptions = {
  player: PassagePlayer;
  clock: Clock;
  /** From a to b, in seconds. */
  passage: { readonly a: number; readonly b: number };
  /** Called once, when its sound first runs. */
  onRunning?: () => void;
  /** It was heard to its end, or somebody stopped it. */
  onEnd: () => void;
};

/** Plays a passage of the melody once, whatever loop there is. @returns breaks it off */
export function playOnce({ player, clock, passage: { a, b }, onRunning, onEnd }: PassageOptions): () => void {
  const scope = createScope();
  let hasRun = false;
  const end = () => {
    if (scope.ended) return;
    scope.end();
    player.pause();
  };
  const over = () => {
    if (scope.ended) return;
    end();
    onEnd();
  };
  const timer = createLoopTimer({
    clock,
    position: player.position,
    end: () => (player.clock.isPlaying() ? b - BEFORE_END_SECONDS : null),
    rate: player.clock.rate,
    onEnd: over,
  });
  player.clock.playFrom(a);
  scope.own(timer.stop);
  scope.own(
    player.subscribeToTime(() => {
      if (!player.clock.isOn()) return over();
      if (player.clock.isPlaying() && !hasRun) {
        hasRun = true;
        onRunning?.();
      }
      if (!scope.ended) timer.aim();
    }),
  );
  return end;
}
