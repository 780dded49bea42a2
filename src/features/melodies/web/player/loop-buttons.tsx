import { clsx } from 'clsx';
import { isBeyondRetry, type PracticePlayer } from '../../../../platform/web/player/practice-player.ts';
import { Button } from '../../../../platform/web/ui/button.tsx';
import { usePlayerSnapshot } from './use-practice-player.ts';

type LoopButtonsProps = { player: PracticePlayer; setA: () => void; setB: () => void; clear: () => void };

/** First A, then B: a button is disabled until it can be used. */
export function LoopButtons({ player, setA, setB, clear }: LoopButtonsProps) {
  const { loop, phase } = usePlayerSnapshot(player);
  const isUnplayable = isBeyondRetry(phase);
  return (
    <div role="group" aria-label="Loop" className="grid grid-cols-3 gap-2 lg:order-1 lg:flex">
      <Button
        disabled={isUnplayable}
        onClick={setA}
        className={clsx('px-2 sm:px-4', loop.kind !== 'none' && isSet)}
      >
        Set A Point
      </Button>
      <Button
        disabled={isUnplayable || loop.kind === 'none'}
        onClick={setB}
        className={clsx('px-2 sm:px-4', loop.kind === 'active' && isSet)}
      >
        Set B Point
      </Button>
      <Button
        variant="quiet"
        disabled={isUnplayable || loop.kind === 'none'}
        onClick={clear}
        className="px-2 sm:px-4"
      >
        Clear Loop
      </Button>
    </div>
  );
}

const isSet = 'border-saffron bg-saffron-ground text-saffron-ink enabled:hover:bg-saffron-ground';
