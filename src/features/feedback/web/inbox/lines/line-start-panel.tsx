import { Check, Minus, MoveHorizontal, Play, Plus, X } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { MIN_LINE_SECONDS } from '#features/line-matching/limits.ts';
import { formatEditableTime } from '#features/feedback/web/marks/mark-times.ts';
import type { SungPassage } from '#features/feedback/web/marks/sung-passages.ts';
import { getLineLabel } from './passage-label.tsx';
import type { SungLinesState } from './use-sung-lines.ts';

type LineStartPanelProps = {
  selected: SungPassage;
  moving: SungLinesState['moving'];
  audio: HTMLAudioElement | null;
  onPlay: (passage: SungPassage) => void;
  onClose: () => void;
};

/** Panel with buttons that correct where a line begins. */
export function LineStartPanel({ selected, moving, audio, onPlay, onClose }: LineStartPanelProps) {
  const step = (by: number) => moving.move(selected.at, selected.start + by * MIN_LINE_SECONDS);
  const line = getLineLabel(selected);
  return (
    <div
      role="group"
      aria-label={`Start of ${line}`}
      className="mt-2 flex flex-wrap items-center gap-2 rounded-md bg-sunk px-3 py-2 text-sm"
    >
      <p className="min-w-0 grow basis-0">
        <span className="font-semibold">Line {selected.melody.index + 1}</span> starts at{' '}
        <span className="font-semibold tabular-nums">{formatEditableTime(selected.start)}</span>
        {moving.isSaved && <span className="text-soft"> · saved</span>}
      </p>
      <span className="flex flex-wrap gap-2 max-md:order-last max-md:basis-full">
        {!selected.isSure && (
          <Button icon={<Check />} onClick={() => step(0)}>
            Yes, it’s {line}
          </Button>
        )}
        <IconButton
          label={`Play ${line}`}
          icon={<Play />}
          variant="secondary"
          onClick={() => onPlay(selected)}
        />
        <IconButton
          label="A tenth of a second earlier"
          icon={<Minus />}
          variant="secondary"
          onClick={() => step(-1)}
        />
        <IconButton
          label="A tenth of a second later"
          icon={<Plus />}
          variant="secondary"
          onClick={() => step(1)}
        />
        <Button
          icon={<MoveHorizontal />}
          onClick={() => audio && moving.move(selected.at, audio.currentTime)}
        >
          Set to current position
        </Button>
      </span>
      <IconButton label="Close" icon={<X />} onClick={onClose} />
    </div>
  );
}
