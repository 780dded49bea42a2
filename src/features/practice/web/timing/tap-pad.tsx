import { clsx } from 'clsx';
import { Hand } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { inactiveButtonClass } from '#web/ui/button.tsx';

type TapPadProps = {
  /** Number of lines with a time. */
  timed: number;
  /** Index of the line to tap next; `total` after the last line. */
  next: number;
  total: number;
  isPlaying: boolean;
  onTap: () => void;
};

/**
 * The large button for tapping. Acts on press instead of release, because the press marks the beginning of the
 * line.
 */
export function TapPad({ timed, next, total, isPlaying, onTap }: TapPadProps) {
  const pad = useRef<HTMLButtonElement>(null);
  const isDone = useRef(false);
  const isSpent = next >= total;
  useEffect(() => pad.current?.focus(), []);
  const press = () => !isSpent && onTap();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    // Keeps Space from pausing the player.
    event.stopPropagation();
    if (!event.repeat) press();
  };
  return (
    <button
      ref={pad}
      type="button"
      aria-disabled={isSpent || undefined}
      aria-keyshortcuts="t"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        isDone.current = true;
        press();
      }}
      onKeyDown={onKeyDown}
      onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
      onClick={() => {
        // Handles clicks from screen readers, which come without a pointer event before them.
        if (!isDone.current) press();
        isDone.current = false;
      }}
      className={clsx(
        'grid min-h-31 w-full touch-manipulation place-content-center justify-items-center gap-2 rounded-lg bg-action px-4 py-2 text-center text-lg leading-tight font-semibold text-on-action select-none hover:bg-action-hover forced-colors:border',
        'desk:min-h-24 beside:min-h-20',
        isSpent && inactiveButtonClass,
      )}
    >
      <Hand className="size-7" />
      <span>
        {!isSpent
          ? `${isPlaying ? 'Tap' : 'Play, then tap'} when line ${next + 1} starts`
          : timed >= total
            ? 'All lines timed'
            : 'You’ve reached the last line'}
        <kbd className="ms-2 rounded-sm border border-current px-1.5 font-sans text-xs pointer-coarse:hidden">
          T
        </kbd>
      </span>
    </button>
  );
}
