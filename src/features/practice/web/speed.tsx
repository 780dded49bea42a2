import { clsx } from 'clsx';
import { Minus, Plus, SlidersHorizontal } from 'lucide-react';
import { useId } from 'react';
import {
  MAX_PLAYBACK_RATE,
  PLAYBACK_RATE_STEP,
  roundPlaybackRate,
  getNextRatePreset,
  MIN_PLAYBACK_RATE,
  PLAYBACK_RATE_PRESETS,
} from './engine/practice-settings.ts';
import { isPermanentFailure, type PracticePlayer } from './engine/practice-player.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { SettingChip } from './setting-chip.tsx';
import { formatSpeed } from './player-messages.ts';
import { SegmentButton, segmentGroupClass } from './segment-button.tsx';
import { usePlayerSnapshot } from './use-practice-player.ts';

type SpeedControlProps = { player: PracticePlayer; settingsId: string; isOpen: boolean; onOpen: () => void };

/** Speed control. A chip on phones. On desktops, a button for each preset and one for the settings. */
export function SpeedControl({ player, settingsId, isOpen, onOpen }: SpeedControlProps) {
  const { rate, phase } = usePlayerSnapshot(player);
  const disabled = isPermanentFailure(phase);
  const isPreset = PLAYBACK_RATE_PRESETS.some((preset) => preset === rate);
  return (
    <>
      <SettingChip
        label={`Speed ${formatSpeed(rate)}`}
        shown={formatSpeed(rate)}
        isUnusual={rate !== 1}
        {...{ disabled, settingsId, isOpen, onOpen }}
        onStep={() => player.setRate(getNextRatePreset(rate))}
        className="grow basis-0 desk:hidden"
      />
      <div role="group" aria-label="Speed" className={clsx(segmentGroupClass, 'max-desk:hidden')}>
        <RatePresets player={player} disabled={disabled} />
        <SegmentButton
          aria-label={`Speed and volume, ${formatSpeed(rate)}`}
          aria-expanded={isOpen}
          aria-controls={isOpen ? settingsId : undefined}
          isChosen={!isPreset}
          disabled={disabled}
          onClick={onOpen}
        >
          {isPreset ? <SlidersHorizontal /> : formatSpeed(rate)}
        </SegmentButton>
      </div>
    </>
  );
}

function RatePresets({ player, disabled = false }: { player: PracticePlayer; disabled?: boolean }) {
  const { rate } = usePlayerSnapshot(player);
  return PLAYBACK_RATE_PRESETS.map((preset) => (
    <SegmentButton
      key={preset}
      aria-pressed={preset === rate}
      isChosen={preset === rate}
      disabled={disabled}
      onClick={() => player.setRate(preset)}
    >
      {formatSpeed(preset)}
    </SegmentButton>
  ));
}

/** Settings for the speed, in small steps, and for the volume. */
export function SpeedSettings({ player }: { player: PracticePlayer }) {
  const { rate, volume, canSetVolume } = usePlayerSnapshot(player);
  const id = useId();
  const shown = `${Math.round(volume * 100)}%`;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
      <div className="flex min-w-0 grow basis-64 items-center gap-1">
        <div role="group" aria-label="Usual speeds" className={clsx(segmentGroupClass, 'grow desk:hidden')}>
          <RatePresets player={player} />
        </div>
        <IconButton
          label="Slower"
          variant="secondary"
          icon={<Minus />}
          isInactive={rate <= MIN_PLAYBACK_RATE}
          onClick={() => player.setRate(roundPlaybackRate(rate - PLAYBACK_RATE_STEP))}
        />
        <output className="min-w-14 text-center font-semibold tabular-nums max-desk:sr-only">
          {formatSpeed(rate)}
        </output>
        <IconButton
          label="Faster"
          variant="secondary"
          icon={<Plus />}
          isInactive={rate >= MAX_PLAYBACK_RATE}
          onClick={() => player.setRate(roundPlaybackRate(rate + PLAYBACK_RATE_STEP))}
        />
      </div>
      {canSetVolume && (
        <div className="flex grow basis-64 items-center gap-3 text-sm">
          <label htmlFor={id} className="font-semibold">
            Volume
          </label>
          <input
            id={id}
            type="range"
            min={0}
            max={1}
            step={0.05}
            value={volume}
            aria-valuetext={shown}
            onChange={({ target }) => player.setVolume(Number(target.value))}
            className="h-11 min-w-0 grow cursor-pointer accent-action"
          />
          <output htmlFor={id} className="w-14 text-end tabular-nums">
            {shown}
          </output>
        </div>
      )}
    </div>
  );
}
