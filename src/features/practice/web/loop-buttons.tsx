import { clsx } from 'clsx';
import { ZoomIn } from 'lucide-react';
import { isPermanentFailure, type PracticePlayer } from './engine/practice-player.ts';
import { Tooltip } from '#web/ui/tooltip.tsx';
import { SegmentButton, segmentGroupClass } from './segment-button.tsx';
import { usePlayerSnapshot } from './use-practice-player.ts';

type LoopButtonsProps = {
  player: PracticePlayer;
  setA: () => void;
  setB: () => void;
  clear: () => void;
  isZoomed: boolean;
  onZoom: () => void;
};

/** Buttons to set A and B, to clear the loop and to zoom to it. Each is disabled until it can be used. */
export function LoopButtons({ player, setA, setB, clear, isZoomed, onZoom }: LoopButtonsProps) {
  const { loop, phase } = usePlayerSnapshot(player);
  const isUnplayable = isPermanentFailure(phase);
  const isNone = loop.kind === 'none';
  return (
    <div role="group" aria-label="Loop" className={clsx(segmentGroupClass, 'grow')}>
      <SegmentButton disabled={isUnplayable} onClick={setA} className={clsx(!isNone && SET_CLASS)}>
        <ShortLabel brief="Set A" rest="Point" />
      </SegmentButton>
      <SegmentButton
        disabled={isUnplayable || isNone}
        onClick={setB}
        className={clsx(loop.kind === 'active' && SET_CLASS)}
      >
        <ShortLabel brief="Set B" rest="Point" />
      </SegmentButton>
      <SegmentButton disabled={isUnplayable || isNone} onClick={clear}>
        <ShortLabel brief="Clear" rest="Loop" />
      </SegmentButton>
      <Tooltip text={ZOOM_LABEL}>
        <SegmentButton
          aria-label={ZOOM_LABEL}
          aria-pressed={isZoomed}
          isChosen={isZoomed}
          disabled={isUnplayable || (loop.kind !== 'active' && !isZoomed)}
          onClick={onZoom}
          className="max-[22rem]:hidden"
        >
          <ZoomIn />
        </SegmentButton>
      </Tooltip>
    </div>
  );
}

const ZOOM_LABEL = 'Zoom to the loop';

/** A label that narrow screens shorten to `brief`. */
const ShortLabel = ({ brief, rest }: { brief: string; rest: string }) => (
  <span className="whitespace-nowrap">
    {brief} <span className="max-[30rem]:sr-only desk:max-[80rem]:sr-only beside:sr-only">{rest}</span>
  </span>
);

const SET_CLASS = 'bg-saffron-ground text-saffron-ink enabled:hover:bg-saffron-ground';
