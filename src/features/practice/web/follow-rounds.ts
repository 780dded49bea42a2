import type { PlayerSnapshot } from './engine/practice-player.ts';
import { createHeardSlices } from './heard-slices.ts';
import { countRounds, type RoundSource } from './count-rounds.ts';

/** The part of the player that shows what is being heard. */
export type PlaybackSource = Pick<RoundSource, 'subscribe'> & {
  snapshot(): ReturnType<RoundSource['snapshot']> & Pick<PlayerSnapshot, 'phase' | 'rate' | 'length'>;
  /** Seconds. */
  position(): number;
  subscribeToTime(listener: () => void): () => void;
};

/** What happened since the last tick, in seconds. `played` is 0 if the position was moved by a seek. */
export type PlaybackStep = { phase: PlayerSnapshot['phase']; elapsed: number; played: number };

/** Tolerance beyond the elapsed time; audio that advanced further was moved by a seek. */
const SEEK_TOLERANCE_SECONDS = 0.5;

/**
 * Follows what is heard. After each turn, `onTurn` receives whether the whole melody was heard in it. Reaching the end
 * by a seek does not count, and neither does looping a line.
 * @param now time of a monotonic clock, in milliseconds
 */
export function followRounds(
  player: PlaybackSource,
  audio: EventTarget,
  now: () => number,
  {
    onStep = () => {},
    onTurn,
  }: { onStep?: (step: PlaybackStep) => void; onTurn: (isWhole: boolean) => void },
) {
  const heard = createHeardSlices();
  let last = state();

  function state() {
    return { at: now(), position: player.position(), ...player.snapshot() };
  }

  function step() {
    const before = last;
    last = state();
    const elapsed = (last.at - before.at) / 1000;
    const moved = before.phase === 'playing' ? last.position - before.position : 0;
    const isHeard = moved > 0 && moved <= elapsed * before.rate + SEEK_TOLERANCE_SECONDS;
    if (isHeard) heard.add(before.position, last.position, last.length);
    onStep({ phase: before.phase, elapsed, played: isHeard ? moved / before.rate : 0 });
  }

  const leaveTurns = countRounds(player, audio, () => {
    step();
    onTurn(heard.end());
  });
  const leave = player.subscribeToTime(step);
  return {
    /** Brings `onStep` up to date. */
    step,
    end() {
      leaveTurns();
      leave();
    },
  };
}
