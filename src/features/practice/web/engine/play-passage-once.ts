import { createResourceScope } from '#web/api/resource-scope.ts';
import { createLoopTimer } from './loop-timer.ts';
import type { PlayerClock } from './player-environment.ts';
import type { PracticePlayer } from './practice-player.ts';

/**
 * Time before the end of the passage at which playback stops. At the end itself, an active loop would start
 * again.
 */
const END_MARGIN_SECONDS = 0.03;

export type PlayOncePlayer = Pick<
  PracticePlayer,
  'clock' | 'pause' | 'loopAgain' | 'subscribeToTime' | 'position'
>;

type PassageOptions = {
  player: PlayOncePlayer;
  clock: PlayerClock;
  /** Start and end, in seconds. */
  passage: { readonly a: number; readonly b: number };
  /** Called once, when the audio of the passage starts. */
  onRunning?: () => void;
  /** Called when the passage has played to its end or playback has been stopped. */
  onEnd: () => void;
};

/**
 * Plays a passage of the melody once. Suspends a loop that doesn't contain the passage, because the player
 * would stay inside the loop.
 * @returns a function that stops it without calling `onEnd`
 */
export function playPassageOnce({
  player,
  clock,
  passage: { a, b },
  onRunning,
  onEnd,
}: PassageOptions): () => void {
  const scope = createResourceScope();
  let hasRun = false;
  const loop = player.clock.loop();
  const end = () => {
    if (scope.ended) return;
    scope.end();
    player.pause();
    if (loop && !player.clock.loop()) player.loopAgain();
  };
  const finish = () => {
    if (scope.ended) return;
    end();
    onEnd();
  };
  const timer = createLoopTimer({
    clock,
    position: player.position,
    end: () => (player.clock.isPlaying() ? b - END_MARGIN_SECONDS : null),
    rate: player.clock.rate,
    onEnd: finish,
  });
  player.clock.playPassage(a, b);
  scope.own(timer.stop);
  scope.own(
    player.subscribeToTime(() => {
      if (!player.clock.isOn()) return finish();
      if (player.clock.isPlaying() && !hasRun) {
        hasRun = true;
        onRunning?.();
      }
      if (!scope.ended) timer.schedule();
    }),
  );
  return end;
}
