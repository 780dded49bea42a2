import { useCallback } from 'react';
import type { PracticePlayer } from './engine/practice-player.ts';
import { formatDuration } from '#web/ui/format-duration.ts';
import type { LoopedLines } from '#features/lyrics/web/line-loops.ts';
import { drawEachFrame } from './draw-each-frame.ts';
import {
  formatRound,
  PLAYBACK_INTERRUPTED_MESSAGE,
  LOOP_OFF_MESSAGE,
  formatLoop,
  SLOW_CONNECTION_MESSAGE,
} from './player-messages.ts';
import { usePlayerSnapshot, usePlayerPosition } from './use-practice-player.ts';

type PlaybackStatusProps = { player: PracticePlayer; looped: LoopedLines | null; loopAgain: () => void };

/** The position and the duration, with a status text between them. */
export function PlaybackStatus({ player, looped, loopAgain }: PlaybackStatusProps) {
  const played = usePlayerPosition(player);
  const { length } = usePlayerSnapshot(player);
  return (
    <div className="flex min-h-5.25 items-center justify-between gap-2 text-xs leading-tight tabular-nums">
      <p className="font-semibold">
        <span className="sr-only">Position </span>
        {formatDuration(played)}
      </p>
      <PlaybackState {...{ player, looped, loopAgain }} />
      <p className="text-soft">
        <span className="sr-only">of </span>
        {length > 0 ? formatDuration(length) : '–:––'}
      </p>
    </div>
  );
}

function PlaybackState({ player, looped, loopAgain }: PlaybackStatusProps) {
  const snapshot = usePlayerSnapshot(player);
  const { phase, isSlow, isInterrupted, clearedLoop, loop } = snapshot;
  if (phase === 'gap') return <YourTurn player={player} />;
  if (isSlow) return <p className="text-center text-soft">{SLOW_CONNECTION_MESSAGE}</p>;
  if (isInterrupted) return <p className="text-center">{PLAYBACK_INTERRUPTED_MESSAGE}</p>;
  if (clearedLoop) return <LoopOff onAgain={loopAgain} />;
  if (loop.kind === 'none' && phase === 'still' && player.position() > 0) return <p>Paused</p>;
  return (
    <p className="text-center font-semibold text-saffron-ink">
      {formatLoop(snapshot, looped)}
      {/* Hidden on phones, because the repeats chip shows the round if repeats are limited. */}
      <span className="max-sm:hidden">{formatRound(snapshot)}</span>
    </p>
  );
}

/** Shown after the player went to a line outside the loop, which cleared the loop. */
const LoopOff = ({ onAgain }: { onAgain: () => void }) => (
  <div className="flex flex-wrap items-center justify-center gap-x-2">
    <p>{LOOP_OFF_MESSAGE}</p>
    <button type="button" className="link relative z-10 -my-3 min-h-11 px-1" onClick={onAgain}>
      Loop again
    </button>
  </div>
);

/** Shows that the silence is intended, and how much of it is left. */
function YourTurn({ player }: { player: PracticePlayer }) {
  const { round, repeats } = usePlayerSnapshot(player);
  const show = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return;
      const [bar, seconds] = [element.querySelector('i')!, element.querySelector('b')!];
      return drawEachFrame(player, () => {
        const { left, length } = player.turn();
        bar.style.transform = `scaleX(${length > 0 ? left / length : 0})`;
        seconds.textContent = `${Math.ceil(left)} s`;
      });
    },
    [player],
  );
  return (
    <p
      ref={show}
      className="relative -my-1 grow overflow-hidden rounded-sm bg-saffron-ground px-2 py-1 text-center text-sm leading-tight font-semibold text-saffron-ink"
    >
      Your turn · <b aria-hidden="true" className="font-semibold" />
      {repeats !== null && <span className="font-normal">{` · ${round} of ${repeats}`}</span>}
      <i
        aria-hidden="true"
        className="forced-highlight absolute inset-x-0 bottom-0 block h-1 origin-left bg-saffron"
      />
    </p>
  );
}
