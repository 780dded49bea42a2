import { followPlayback, type PlaybackSource } from '#features/practice/web/follow-playback.ts';

export type CountedPractice = { seconds: number; times: number };

/**
 * Maximum time to count between two ticks, unless the audio advanced further. A device sends no ticks while it
 * sleeps, so the time until the next tick may not be practice.
 */
const MAX_TICK_SECONDS = 2;
/**
 * Practice time between two reports. A report comes earlier if the whole melody has been heard or the audio
 * stops.
 */
const REPORT_SECONDS = 5;

/**
 * Counts how long the student practises, including the student's own turns, and how often the whole melody is
 * heard.
 * @param now returns the time of a monotonic clock, in milliseconds
 * @param onCounted receives the practice counted since its previous call, about every five seconds
 */
export function createPracticeCounter(
  player: PlaybackSource,
  audio: EventTarget,
  now: () => number,
  onCounted: (counted: CountedPractice) => void,
) {
  let counted: CountedPractice = { seconds: 0, times: 0 };
  const turns = followPlayback(player, audio, now, {
    onStep({ phase, elapsed, played }) {
      if (phase === 'gap') counted.seconds += Math.min(elapsed, MAX_TICK_SECONDS);
      if (phase === 'playing') counted.seconds += Math.min(elapsed, Math.max(MAX_TICK_SECONDS, played));
    },
    onRoundEnd(isWhole) {
      if (isWhole) counted.times += 1;
    },
  });

  function report() {
    turns.step();
    const { seconds, times } = counted;
    counted = { seconds: 0, times: 0 };
    if (seconds > 0 || times > 0) onCounted({ seconds, times });
  }

  const leave = player.subscribeToTime(() => {
    const { phase } = player.snapshot();
    const isResting = phase !== 'playing' && phase !== 'gap';
    if (isResting || counted.times > 0 || counted.seconds >= REPORT_SECONDS) report();
  });
  return {
    /** Reports the practice since the last report. Synchronous, because the page may be closing. */
    report,
    /** Stops counting and reports the practice since the last report. */
    end() {
      turns.end();
      leave();
      report();
    },
  };
}
