import { Pause, Play, Undo2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import { isPermanentFailure, isPlaybackOn, type PracticePlayer } from '../engine/practice-player.ts';
import { Button } from '#web/ui/button.tsx';
import { formatDurationToTenths } from '#web/ui/format-duration.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import type { TappingState } from '#features/lyrics/tapping.ts';
import { DockSettings } from '../dock-settings.tsx';
import { drawEachFrame } from '../draw-each-frame.ts';
import { PlayerFailure } from '../player-failure.tsx';
import { SpeedControl, SpeedSettings } from '../speed.tsx';
import { usePlayerSnapshot } from '../use-practice-player.ts';
import { formatMelodyDuration } from './format-melody-duration.ts';
import { TapPad } from './tap-pad.tsx';

type TimingDockProps = {
  player: PracticePlayer;
  total: number;
  tapping: TappingState;
  isUnsaved: boolean;
  isSaving: boolean;
  onTap: () => void;
  onUndo: () => void;
  onSave: () => void;
};

const SETTINGS_ID = 'timing-settings';

/** The controls of the timing view, within reach of the thumb: position, pad and buttons. */
export function TimingDock(props: TimingDockProps) {
  const { player, total, tapping, isUnsaved, isSaving, onTap, onUndo, onSave } = props;
  const { phase } = usePlayerSnapshot(player);
  const [isOpen, setIsOpen] = useState(false);
  const timed = tapping.passages.length;
  return (
    <footer className="z-10 shrink-0 border-t border-line bg-surface px-4 pt-1 pb-[max(0.75rem,env(safe-area-inset-bottom))] beside:min-h-0 beside:w-92 beside:overflow-y-auto beside:border-s beside:border-t-0">
      <div className="mx-auto grid w-full max-w-xl grid-cols-[minmax(0,1fr)] gap-2 desk:max-w-3xl">
        <PlayerFailure player={player} missing={null} />
        {isOpen && (
          <DockSettings id={SETTINGS_ID} label="Speed and volume" onClose={() => setIsOpen(false)}>
            <SpeedSettings player={player} />
          </DockSettings>
        )}
        <Position player={player} />
        <TapPad {...{ timed, total }} next={tapping.next} isPlaying={phase === 'playing'} onTap={onTap} />
        <p role="status" className="sr-only">
          {timed} of {total} lines timed
        </p>
        <div className="flex flex-wrap gap-2">
          <Button
            icon={<Undo2 />}
            isInactive={tapping.past.length === 0}
            aria-keyshortcuts="u"
            onClick={onUndo}
          >
            Undo
          </Button>
          <IconButton
            label={isPlaybackOn(phase) ? 'Pause' : 'Play'}
            variant="secondary"
            icon={isPlaybackOn(phase) ? <Pause /> : <Play />}
            disabled={isPermanentFailure(phase)}
            onClick={player.toggle}
          />
          <SpeedControl
            player={player}
            settingsId={SETTINGS_ID}
            isOpen={isOpen}
            onOpen={() => setIsOpen(!isOpen)}
          />
          <Button
            isInactive={!isUnsaved}
            busy={isSaving}
            onClick={onSave}
            className="grow border-action! text-action!"
          >
            Save times
          </Button>
        </div>
      </div>
    </footer>
  );
}

/**
 * The position, to a tenth of a second. Drawn without React, which would otherwise re-render on every frame.
 */
function Position({ player }: { player: PracticePlayer }) {
  const { length } = usePlayerSnapshot(player);
  const show = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return;
      const [shown, slider] = [element.querySelector('b')!, element.querySelector('input')!];
      return drawEachFrame(player, () => {
        const at = formatDurationToTenths(player.position());
        if (shown.textContent === at) return;
        shown.textContent = at;
        slider.value = String(player.position());
        slider.setAttribute('aria-valuetext', at);
      });
    },
    [player],
  );
  return (
    <div ref={show} className="flex items-center gap-3 tabular-nums">
      <b aria-hidden="true" className="min-w-14 font-semibold" />
      <input
        type="range"
        aria-label="Position"
        min={0}
        max={length}
        step={0.1}
        defaultValue={0}
        onInput={({ currentTarget }) => player.seek(Number(currentTarget.value))}
        className="h-11 min-w-0 grow cursor-pointer accent-action"
      />
      <span className="text-sm text-soft">
        <span className="sr-only">of </span>
        {length > 0 ? formatMelodyDuration(length) : '–:––'}
      </span>
    </div>
  );
}
