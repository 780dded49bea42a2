import type { PlayerSnapshot } from './engine/practice-player.ts';
import { createPlayedSliceTracker } from './played-slices.ts';
import { subscribeToRounds, type RoundSource } from './subscribe-to-rounds.ts';

/** The part of the player that is needed to follow playback. */
export type PlaybackSource = Pick<RoundSource, 'subscribe'> & {
  snapshot(): ReturnType<RoundSource['snapshot']> & Pick<PlayerSnapshot, 'phase' | 'rate' | 'length'>;
  /** In seconds. */
  position(): number;
  subscribeToTime(listener: () => void): () => void;
};

/**
 * Playback since the previous tick, in seconds of real time. `played` is the time in which the audio
 * advanced; 0 if a seek moved the position.
 */
export type PlaybackStep = { phase: PlayerSnapshot['phase']; elapsed: number; played: number };

/** A position that advances by more than the elapsed time plus this tolerance was moved by a seek. */
const SEEK_TOLERANCE_SECONDS = 0.5;

/**
 * Follows playback. Calls `onRoundEnd` after each round. Its argument is whether at least four fifths of the
 * melody were heard in that round; it is false, for example, if the user looped only a line.
 * @param now returns the time of a monotonic clock, in milliseconds
 */
export function followPlayback(
  player: PlaybackSource,
  audio: EventTarget,
  now: () => number,
  {
    onStep = () => {},
    onRoundEnd,
  }: { onStep?: (step: PlaybackStep) => void; onRoundEnd: (isWhole: boolean) => void },
) {
  const playedSlices = createPlayedSliceTracker();
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
    if (isHeard) playedSlices.add(before.position, last.position, last.length);
    onStep({ phase: before.phase, elapsed, played: isHeard ? moved / before.rate : 0 });
  }

  const leaveTurns = subscribeToRounds(player, audio, () => {
    step();
    onRoundEnd(playedSlices.end());
  });
  const leave = player.subscribeToTime(step);
  return {
    /** Reports the playback since the previous tick to `onStep`. */
    step,
    end() {
      leaveTurns();
      leave();
    },
  };
}
