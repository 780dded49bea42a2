import { clsx } from 'clsx';
import { Minus, Plus } from 'lucide-react';
import { useId } from 'react';
import { FASTEST, RATE_STEP, rateOnStep, SLOWEST } from '../../../../platform/web/player/practice.ts';
import type { PracticePlayer } from '../../../../platform/web/player/practice-player.ts';
import { Checkbox } from '../../../../platform/web/ui/checkbox.tsx';
import { Select } from '../../../../platform/web/ui/select.tsx';
import { IconButton } from '../../../../platform/web/ui/icon-button.tsx';
import { Key, KeyHints } from './key-hints.tsx';
import { NUDGE_SECONDS } from './loop-handle.tsx';
import { speedText, tenths } from './player-messages.ts';
import { TimesChoice } from './times-choice.tsx';
import { usePlayerSnapshot } from './use-practice-player.ts';

type PracticeSettingsProps = {
  id: string;
  player: PracticePlayer;
  /** For narrow screens; on wide ones the settings are always shown. */
  isOpen: boolean;
  /** The browser can seek in this file only approximately. */
  isApproximate: boolean;
  hasLetters: boolean;
  onLetters: (hasLetters: boolean) => void;
};

const GAPS = [
  [0, 'none'],
  [0.5, 'half as long'],
  [1, 'as long'],
  [1.5, '1½ times as long'],
  [2, 'twice as long'],
] as const;

/** Practice settings, kept for this melody on this device. */
export function PracticeSettings(props: PracticeSettingsProps) {
  const { id, player, isOpen, isApproximate, hasLetters, onLetters } = props;
  const { rate, volume, canSetVolume, repeats, gap } = usePlayerSnapshot(player);
  return (
    <section
      id={id}
      aria-label="Practice settings"
      className={clsx(
        'overflow-y-auto border-line bg-surface px-4 py-4 max-lg:min-h-0 max-lg:grow-3 max-lg:basis-0 max-lg:border-t sm:px-8 lg:block lg:w-96 lg:shrink-0 lg:rounded-tl-lg lg:border-s lg:border-t lg:px-6 lg:py-5',
        !isOpen && 'max-lg:hidden',
      )}
    >
      <div className="mx-auto grid max-w-xl gap-5">
        <Range
          label="Speed"
          value={rate}
          shown={speedText(rate)}
          min={SLOWEST}
          max={FASTEST}
          step={RATE_STEP}
          steps={['Slower', 'Faster']}
          onChange={(to) => player.setRate(rateOnStep(to))}
        />
        <TimesChoice times={repeats} onChange={player.setRepeats}>
          <Select
            label="Then your turn"
            value={gap}
            onChange={({ target }) => player.setGap(Number(target.value))}
          >
            {GAPS.map(([multiple, name]) => (
              <option key={multiple} value={multiple}>
                {name}
              </option>
            ))}
          </Select>
        </TimesChoice>
        <Points player={player} />
        {canSetVolume && (
          <Range
            label="Volume"
            value={volume}
            shown={`${Math.round(volume * 100)} %`}
            min={0}
            max={1}
            step={0.05}
            onChange={player.setVolume}
          />
        )}
        {isApproximate && (
          <p className="text-sm text-soft">
            Loops and timings are approximate with this file: its format lets the browser find a place to
            within a second or so.
          </p>
        )}
        <div className="border-t border-line pt-3 text-sm text-soft">
          <KeyHints className="lg:hidden" />
          <Checkbox
            label={
              <>
                <Key>A</Key> <Key>B</Key> set the points
              </>
            }
            checked={hasLetters}
            onChange={({ target }) => onLetters(target.checked)}
            className="mt-1"
          />
        </div>
      </div>
    </section>
  );
}

/** Moves A and B by tenths of a second, without needing a steady hand. */
function Points({ player }: { player: PracticePlayer }) {
  const { loop } = usePlayerSnapshot(player);
  if (loop.kind === 'none') return null;
  return (
    <div className="grid gap-1">
      <Nudge point="A" at={loop.a} onMove={player.moveA} />
      {loop.kind === 'active' && <Nudge point="B" at={loop.b} onMove={player.moveB} />}
    </div>
  );
}

type NudgeProps = { point: 'A' | 'B'; at: number; onMove: (to: number) => void };

function Nudge({ point, at, onMove }: NudgeProps) {
  return (
    <div role="group" aria-label={`${point} point`} className="flex items-center gap-2">
      <p className="grow text-sm font-semibold tabular-nums">
        {point} point <span className="font-normal">{tenths(at)}</span>
      </p>
      <IconButton
        label={`${point} 0.1 s earlier`}
        variant="secondary"
        icon={<Minus aria-hidden="true" />}
        onClick={() => onMove(at - NUDGE_SECONDS)}
      />
      <IconButton
        label={`${point} 0.1 s later`}
        variant="secondary"
        icon={<Plus aria-hidden="true" />}
        onClick={() => onMove(at + NUDGE_SECONDS)}
      />
    </div>
  );
}

type RangeProps = {
  label: string;
  value: number;
  shown: string;
  min: number;
  max: number;
  step: number;
  /** Names of the buttons at either end. */
  steps?: readonly [less: string, more: string];
  onChange: (to: number) => void;
};

function Range({ label, value, shown, min, max, step, steps, onChange }: RangeProps) {
  const id = useId();
  return (
    <div>
      <div className="flex justify-between text-sm">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        <output htmlFor={id} className="tabular-nums">
          {shown}
        </output>
      </div>
      <div className="flex items-center gap-2">
        {steps && (
          <IconButton
            label={steps[0]}
            icon={<Minus aria-hidden="true" />}
            isSpent={value <= min}
            onClick={() => onChange(value - step)}
          />
        )}
        <input
          id={id}
          type="range"
          {...{ min, max, step, value }}
          aria-valuetext={shown}
          onChange={({ target }) => onChange(Number(target.value))}
          className="h-11 min-w-0 grow cursor-pointer accent-action"
        />
        {steps && (
          <IconButton
            label={steps[1]}
            icon={<Plus aria-hidden="true" />}
            isSpent={value >= max}
            onClick={() => onChange(value + step)}
          />
        )}
      </div>
    </div>
  );
}
