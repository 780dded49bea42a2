import type { PlayerSnapshot } from '#features/practice/web/engine/practice-player.ts';
import { countTurns, type TurnSource } from '#features/practice/web/turns.ts';
import { heardSlices } from './heard-slices.ts';

/** What of the player tells that somebody practises. */
export type PracticeSource = Pick<TurnSource, 'subscribe'> & {
  snapshot(): ReturnType<TurnSource['snapshot']> & Pick<PlayerSnapshot, 'phase' | 'rate' | 'length'>;
  /** Seconds. */
  position(): number;
  subscribeToTime(listener: () => void): () => void;
};

export type Counted = { seconds: number; times: number };

/** A device that was asleep tells nothing of the time: so much of it counts unless the sound has gone on meanwhile. */
const LONGEST_SECONDS = 2;
/** A sound that has gone this much further than the time was moved. */
const LEEWAY_SECONDS = 0.5;
/** What is counted is handed over when it is as much, and whenever the sound rests. */
const HAND_OVER_SECONDS = 5;

/**
 * Counts how long one practises, with the student's own turns, and how many times the whole melody is heard: a time that
 * was led to its end by a seek is none, nor is the loop of a line.
 * @param now milliseconds of a clock that is never set
 * @param onCounted is handed what was counted since the last time; called often
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
    /** At once: the page may be gone in a moment. */
    handOver,
    /** Hands over the rest. */
    end() {
      leaveTurns();
      leave();
      handOver();
    },
  };
}
