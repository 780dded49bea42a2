import { Pause, Play, RotateCcw, Square } from 'lucide-react';
import type { ComponentProps, RefObject } from 'react';
import { isPermanentFailure, isPlaybackOn, type PracticePlayer } from './engine/practice-player.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useInitialFocus } from './player-dialog.tsx';
import { usePlayerSnapshot } from './use-practice-player.ts';

type TransportControlsProps = { player: PracticePlayer; playButton: RefObject<HTMLButtonElement | null> };

export function TransportControls({ player, playButton }: TransportControlsProps) {
  useInitialFocus(playButton);
  const { phase } = usePlayerSnapshot(player);
  const disabled = isPermanentFailure(phase);
  return (
    <div className="flex shrink-0 items-center justify-center gap-1 min-[24rem]:gap-3 desk:gap-4">
      <IconButton label="Restart" icon={<RotateCcw />} disabled={disabled} onClick={player.restart} />
      <LargePlayButton
        ref={playButton}
        aria-label={isPlaybackOn(phase) ? 'Pause' : 'Play'}
        aria-busy={phase === 'loading' || undefined}
        disabled={disabled}
        onClick={player.toggle}
      >
        {phase === 'loading' ? (
          <Spinner />
        ) : isPlaybackOn(phase) ? (
          <Pause className="fill-current" />
        ) : (
          <Play className="translate-x-0.5 fill-current" />
        )}
      </LargePlayButton>
      <IconButton label="Stop" icon={<Square />} disabled={disabled} onClick={player.stop} />
    </div>
  );
}

export const LargePlayButton = (props: ComponentProps<'button'>) => (
  <button
    type="button"
    {...props}
    className="grid size-14 shrink-0 place-items-center rounded-full border-2 border-transparent bg-action text-on-action enabled:hover:bg-action-hover disabled:opacity-50 desk:size-16 [&_svg]:size-7"
  />
);
