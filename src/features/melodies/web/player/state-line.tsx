import { useCallback } from 'react';
import type { PracticePlayer } from '../../../../platform/web/player/practice-player.ts';
import { duration } from '../../../../platform/web/ui/duration.ts';
import { followFrames } from './frames.ts';
import { LOOP_LET_GO, loopText } from './player-messages.ts';
import { usePlayerSnapshot, usePosition } from './use-practice-player.ts';

type StateLineProps = { player: PracticePlayer; loopAgain: () => void };

/** Position and length, and between them the state of the loop. */
export function StateLine({ player, loopAgain }: StateLineProps) {
  const snapshot = usePlayerSnapshot(player);
  const played = usePosition(player);
  const { length, phase } = snapshot;
  return (
    <div className="flex min-h-9 items-center justify-between gap-3 text-sm tabular-nums">
      <p>
        <span className="sr-only">Position </span>
        {duration(played)}
      </p>
      {phase === 'gap' ? (
        <YourTurn player={player} />
      ) : snapshot.letGo ? (
        <LetGo onAgain={loopAgain} />
      ) : (
        <p className="text-center leading-tight font-semibold text-saffron-ink">{loopText(snapshot)}</p>
      )}
      <p className="text-soft">
        <span className="sr-only">of </span>
        {length > 0 ? duration(length) : '–:––'}
      </p>
    </div>
  );
}

/** Shown when a loop was released to play a line outside of it. */
const LetGo = ({ onAgain }: { onAgain: () => void }) => (
  <div className="flex flex-wrap items-center justify-center gap-x-3 leading-tight">
    <p>{LOOP_LET_GO}</p>
    <button type="button" className="link -my-3 min-h-11" onClick={onAgain}>
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
      return followFrames(player, () => {
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
      className="relative grow overflow-hidden rounded-md bg-saffron-ground px-4 py-1.5 text-center text-base font-semibold text-saffron-ink"
    >
      Your turn · <b aria-hidden="true" className="font-semibold" />
      {repeats !== null && <span className="font-normal">{` · ${round} of ${repeats}`}</span>}
      <i aria-hidden="true" className="absolute inset-x-0 bottom-0 block h-1 origin-left bg-saffron" />
    </p>
  );
}
