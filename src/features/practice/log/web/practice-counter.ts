import { followTurns, type HeardSource } from '#features/practice/web/whole-turns.ts';

export type Counted = { seconds: number; times: number };

/**
 * Maximum time to count between two ticks, unless the audio advanced further. A device that was asleep sends no ticks.
 */
const LONGEST_SECONDS = 2;
/** Counted practice is reported once it reaches this, and whenever the audio stops. */
const HAND_OVER_SECONDS = 5;

/**
 * Counts how long the student practises, including 'your turn', and how often the whole melody is heard.
 * @param now time of a monotonic clock, in milliseconds
 * @param onCounted receives what was counted since the last call; called often
 */
export function countPractice(
  player: HeardSource,
  audio: EventTarget,
  now: () => number,
  onCounted: (counted: Counted) => void,
) {
  let counted: Counted = { seconds: 0, times: 0 };
  const turns = followTurns(player, audio, now, {
    onStep({ phase, elapsed, played }) {
      if (phase === 'gap') counted.seconds += Math.min(elapsed, LONGEST_SECONDS);
      if (phase === 'playing') counted.seconds += Math.min(elapsed, Math.max(LONGEST_SECONDS, played));
    },
    onTurn(isWhole) {
      if (isWhole) counted.times += 1;
    },
  });

  function handOver() {
    turns.step();
    const { seconds, times } = counted;
    counted = { seconds: 0, times: 0 };
    if (seconds > 0 || times > 0) onCounted({ seconds, times });
  }

  const leave = player.subscribeToTime(() => {
    const { phase } = player.snapshot();
    const isResting = phase !== 'playing' && phase !== 'gap';
    if (isResting || counted.times > 0 || counted.seconds >= HAND_OVER_SECONDS) handOver();
  });
  return {
    /** Reports synchronously, because the page may be closed at any moment. */
    handOver,
    /** Stops counting and reports the rest. */
    end() {
      turns.end();
      leave();
      handOver();
    },
  };
}
