import type { PlayerSnapshot } from '#features/practice/web/engine/practice-player.ts';
import { countTurns, type TurnSource } from '#features/practice/web/turns.ts';
import { heardSlices } from './heard-slices.ts';

/** The part of the player from which practice is counted. */
export type PracticeSource = Pick<TurnSource, 'subscribe'> & {
  snapshot(): ReturnType<TurnSource['snapshot']> & Pick<PlayerSnapshot, 'phase' | 'rate' | 'length'>;
  /** Seconds. */
  position(): number;
  subscribeToTime(listener: () => void): () => void;
};

export type Counted = { seconds: number; times: number };

/**
 * Maximum time to count between two ticks, unless the audio advanced further. A device that was asleep sends no ticks.
 */
const LONGEST_SECONDS = 2;
/** Tolerance beyond the elapsed time; audio that advanced further was moved by a seek. */
const LEEWAY_SECONDS = 0.5;
/** Counted practice is reported once it reaches this, and whenever the audio stops. */
const HAND_OVER_SECONDS = 5;

/**
 * Counts how long the student practises, including 'your turn', and how often the whole melody is heard. Reaching the
 * end by a seek does not count, and neither does looping a line.
 * @param now time of a monotonic clock, in milliseconds
 * @param onCounted receives what was counted since the last call; called often
 */
export function countPractice(
  player: PracticeSource,
  audio: EventTarget,
  now: () => number,
  onCounted: (counted: Counted) => void,
) {
  const heard = heardSlices();
  let counted: Counted = { seconds: 0, times: 0 };
  let last = state();

  function state() {
    return { at: now(), position: player.position(), ...player.snapshot() };
  }

  function count() {
    const before = last;
    last = state();
    const elapsed = (last.at - before.at) / 1000;
    if (before.phase === 'gap') counted.seconds += Math.min(elapsed, LONGEST_SECONDS);
    if (before.phase !== 'playing') return;
    const moved = last.position - before.position;
    const goesOn = moved > 0 && moved <= elapsed * before.rate + LEEWAY_SECONDS;
    if (goesOn) heard.add(before.position, last.position, last.length);
    counted.seconds += Math.min(elapsed, Math.max(LONGEST_SECONDS, goesOn ? moved / before.rate : 0));
  }

  function handOver() {
    count();
    const { seconds, times } = counted;
    counted = { seconds: 0, times: 0 };
    if (seconds > 0 || times > 0) onCounted({ seconds, times });
  }

  const leaveTurns = countTurns(player, audio, () => {
    count();
    if (heard.end()) counted.times += 1;
  });
  const leave = player.subscribeToTime(() => {
    count();
    const isResting = last.phase !== 'playing' && last.phase !== 'gap';
    if (isResting || counted.times > 0 || counted.seconds >= HAND_OVER_SECONDS) handOver();
  });
  return {
    /** Reports synchronously, because the page may be closed at any moment. */
    handOver,
    /** Stops counting and reports the rest. */
    end() {
      leaveTurns();
      leave();
      handOver();
    },
  };
}
