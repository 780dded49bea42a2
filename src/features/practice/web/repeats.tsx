import { clsx } from 'clsx';
import { ChevronUp, Infinity as Endless, Minus, Plus, Repeat } from 'lucide-react';
import { getNextRepeatsPreset } from './engine/practice-settings.ts';
import { isPermanentFailure, type PracticePlayer } from './engine/practice-player.ts';
import { formatDurationToTenths } from '#web/ui/format-duration.ts';
import { Select } from '#web/ui/select.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { SettingChip } from './setting-chip.tsx';
import { LOOP_NUDGE_SECONDS } from './loop-handle.tsx';
import { formatRepeats } from './player-messages.ts';
import { SegmentButton } from './segment-button.tsx';
import { RepeatsChoice } from './repeats-choice.tsx';
import { usePlayerSnapshot } from './use-practice-player.ts';

type RepeatsChipProps = { player: PracticePlayer; settingsId: string; isOpen: boolean; onOpen: () => void };

/** Chip with the number of repeats and the current round. */
export function RepeatsChip({ player, settingsId, isOpen, onOpen }: RepeatsChipProps) {
  const snapshot = usePlayerSnapshot(player);
  const { repeats, phase } = snapshot;
  const shown = formatRepeats(snapshot);
  const disabled = isPermanentFailure(phase);
  return (
    <div className="flex grow basis-0 desk:grow-0 desk:basis-auto max-desk:order-1">
      <SettingChip
        label={`Repeat ${shown ?? 'until I stop'}`}
        shown={
          <span className="inline-flex items-center gap-1.5">
            <Repeat className="max-desk:hidden" />
            {shown ?? <Endless />}
          </span>
        }
        isUnusual={repeats !== null}
        {...{ disabled, settingsId, isOpen, onOpen }}
        onStep={() => player.setRepeats(getNextRepeatsPreset(repeats))}
        className="grow desk:rounded-e-none desk:px-4"
      />
      <SegmentButton
        aria-label="Repeats and pauses"
        aria-expanded={isOpen}
        aria-controls={isOpen ? settingsId : undefined}
        disabled={disabled}
        onClick={onOpen}
        className={clsx('rounded-e-md border border-s-0 border-edge bg-surface max-desk:hidden')}
      >
        <ChevronUp />
      </SegmentButton>
    </div>
  );
}

const GAP_OPTIONS = [
  [0, 'no pause'],
  [0.5, 'half as long'],
  [1, 'just as long'],
  [1.5, '1½ times as long'],
  [2, 'twice as long'],
] as const;

type RepeatSettingsProps = {
  player: PracticePlayer;
  /** Whether the browser can seek in this file only approximately. */
  isApproximate: boolean;
};

/** Settings for repeats, the student's turn, and the loop's points. */
export function RepeatSettings({ player, isApproximate }: RepeatSettingsProps) {
  const { repeats, gap } = usePlayerSnapshot(player);
  return (
    <div className="grid gap-2 desk:grid-cols-[minmax(0,28rem)_auto] desk:items-end desk:justify-between desk:gap-x-8">
      <RepeatsChoice times={repeats} onChange={player.setRepeats}>
        <Select
          label="Pause for you to sing"
          value={gap}
          onChange={({ target }) => player.setGap(Number(target.value))}
        >
          {GAP_OPTIONS.map(([multiple, name]) => (
            <option key={multiple} value={multiple}>
              {name}
            </option>
          ))}
        </Select>
      </RepeatsChoice>
      <LoopPoints player={player} />
      {isApproximate && (
        <p className="text-sm text-soft">
          With this file, loops and line times can be off by about a second.
        </p>
      )}
    </div>
  );
}

/** Buttons that move A and B by tenths of a second, for users without a steady hand. */
function LoopPoints({ player }: { player: PracticePlayer }) {
  const { loop } = usePlayerSnapshot(player);
  if (loop.kind === 'none') return null;
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1">
      <Nudge point="A" at={loop.a} onMove={player.moveA} />
      {loop.kind === 'active' && <Nudge point="B" at={loop.b} onMove={player.moveB} />}
    </div>
  );
}

type NudgeProps = { point: 'A' | 'B'; at: number; onMove: (to: number) => void };

function Nudge({ point, at, onMove }: NudgeProps) {
  return (
    <div role="group" aria-label={`${point} point`} className="flex grow items-center gap-1">
      <p className="grow text-sm leading-tight font-semibold tabular-nums">
        {point} <span className="font-normal">{formatDurationToTenths(at)}</span>
      </p>
      <IconButton
        label={`${point} 0.1 s earlier`}
        variant="secondary"
        icon={<Minus />}
        onClick={() => onMove(at - LOOP_NUDGE_SECONDS)}
      />
      <IconButton
        label={`${point} 0.1 s later`}
        variant="secondary"
        icon={<Plus />}
        onClick={() => onMove(at + LOOP_NUDGE_SECONDS)}
      />
    </div>
  );
}
