import { ChevronDown, ChevronUp, Pause, Play, RotateCcw, Square } from 'lucide-react';
import type { RefObject } from 'react';
import { isBeyondRetry, isOn, type PracticePlayer } from '../../../../platform/web/player/practice-player.ts';
import { Button } from '../../../../platform/web/ui/button.tsx';
import { IconButton } from '../../../../platform/web/ui/icon-button.tsx';
import { Spinner } from '../../../../platform/web/ui/spinner.tsx';
import { useFirstFocus } from './player-frame.tsx';
import { speedText } from './player-messages.ts';
import { usePlayerSnapshot } from './use-practice-player.ts';

type TransportProps = {
  player: PracticePlayer;
  playButton: RefObject<HTMLButtonElement | null>;
  settingsId: string;
  isOpen: boolean;
  onOpen: () => void;
};

export function Transport({ player, playButton, settingsId, isOpen, onOpen }: TransportProps) {
  useFirstFocus(playButton);
  const { phase, rate } = usePlayerSnapshot(player);
  const isUnplayable = isBeyondRetry(phase);
  return (
    <div className="flex items-center justify-between gap-2 lg:order-2 lg:justify-center lg:gap-4">
      <div className="flex grow basis-0 gap-1 lg:contents">
        <IconButton
          label="Restart"
          icon={<RotateCcw aria-hidden="true" />}
          disabled={isUnplayable}
          onClick={player.restart}
        />
        <IconButton
          label="Stop"
          icon={<Square aria-hidden="true" />}
          disabled={isUnplayable}
          onClick={player.stop}
          className="lg:order-3"
        />
      </div>
      <button
        ref={playButton}
        type="button"
        aria-label={isOn(phase) ? 'Pause' : 'Play'}
        aria-busy={phase === 'loading' || undefined}
        disabled={isUnplayable}
        onClick={player.toggle}
        className="grid size-14 shrink-0 place-items-center rounded-full bg-action text-on-action enabled:hover:bg-action-hover disabled:opacity-50 min-[360px]:size-16 lg:order-2 [&_svg]:size-7"
      >
        {phase === 'loading' ? (
          <Spinner />
        ) : isOn(phase) ? (
          <Pause aria-hidden="true" />
        ) : (
          <Play aria-hidden="true" className="translate-x-0.5" />
        )}
      </button>
      <div className="flex grow basis-0 justify-end lg:hidden">
        <Button
          variant="quiet"
          aria-expanded={isOpen}
          aria-controls={settingsId}
          aria-label={`Speed and repeats, ${speedText(rate)}`}
          onClick={onOpen}
          className="px-2 tabular-nums sm:px-4"
        >
          {speedText(rate)}
          {isOpen ? <ChevronDown aria-hidden="true" /> : <ChevronUp aria-hidden="true" />}
        </Button>
      </div>
    </div>
  );
}
