import { Check, Minus, MoveHorizontal, Play, Plus, X } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { LEAST_LINE_SECONDS } from '#features/line-matching/limits.ts';
import { typedOf } from '#features/feedback/web/marks/mark-times.ts';
import type { SungPassage } from '#features/feedback/web/marks/sung-passages.ts';
import { numberOf } from './passage-words.tsx';
import type { SungLines } from './use-sung-lines.ts';

type BeginningPanelProps = {
  taken: SungPassage;
  moving: SungLines['moving'];
  audio: HTMLAudioElement | null;
  onPlay: (passage: SungPassage) => void;
  onClose: () => void;
};

/** Panel with buttons that correct where a line begins. */
export function BeginningPanel({ taken, moving, audio, onPlay, onClose }: BeginningPanelProps) {
  const step = (by: number) => moving.move(taken.at, taken.start + by * LEAST_LINE_SECONDS);
  const line = numberOf(taken);
  return (
    <div
      role="group"
      aria-label={`Start of ${line}`}
      className="mt-2 flex flex-wrap items-center gap-2 rounded-md bg-sunk px-3 py-2 text-sm"
    >
      <p className="min-w-0 grow basis-0">
        <span className="font-semibold">Line {taken.melody.index + 1}</span> starts at{' '}
        <span className="font-semibold tabular-nums">{typedOf(taken.start)}</span>
        {moving.isKept && <span className="text-soft"> · saved</span>}
      </p>
      <span className="flex flex-wrap gap-2 max-md:order-last max-md:basis-full">
        {!taken.isSure && (
          <Button icon={<Check />} onClick={() => step(0)}>
            Yes, it’s {line}
          </Button>
        )}
        <IconButton
          label={`Play ${line}`}
          icon={<Play />}
          variant="secondary"
          onClick={() => onPlay(taken)}
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
        <Button icon={<MoveHorizontal />} onClick={() => audio && moving.move(taken.at, audio.currentTime)}>
          Set to current position
        </Button>
      </span>
      <IconButton label="Close" icon={<X />} onClick={onClose} />
    </div>
  );
}
