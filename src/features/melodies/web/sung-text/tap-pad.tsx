import { clsx } from 'clsx';
import { Undo2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { Button, buttonLook, spentLook } from '../../../../platform/web/ui/button.tsx';
import { type SungLine, wordsOf } from '../../sung-text/parse.ts';
import type { Tapping } from '../../sung-text/tapping.ts';
import { langOf } from '../tibetan.ts';

type TapPadProps = {
  lines: readonly SungLine[];
  tapping: Tapping;
  isPlaying: boolean;
  isUnsaved: boolean;
  isSaving: boolean;
  onTap: () => void;
  onUndo: () => void;
  onSave: () => void;
  /** The outcome of saving. */
  children: ReactNode;
};

/** Stays under the thumb: the next line, and one large button. */
export function TapPad(props: TapPadProps) {
  const { lines, tapping, isPlaying, isUnsaved, isSaving, onTap, onUndo, onSave, children } = props;
  const next = lines[tapping.next];
  const timed = tapping.passages.length;
  return (
    <div className="sticky bottom-0 z-10 mt-6 grid gap-3 border-t border-line bg-surface pt-3 pb-4">
      {children}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <p role="status" className="text-sm tabular-nums">
          {timed} of {lines.length} lines timed
        </p>
        <div aria-hidden="true" className="h-2 min-w-24 grow overflow-hidden rounded-full bg-sunk">
          <div
            className="h-full bg-action"
            style={{ width: `${(100 * timed) / Math.max(1, lines.length)}%` }}
          />
        </div>
      </div>
      <TapButton onTap={onTap} isSpent={isPlaying && !next}>
        <span>
          {!isPlaying ? 'Play' : next ? 'Tap as this line begins' : 'Every line has had its turn'}
          <kbd className="ms-2 rounded-sm border border-current px-1.5 font-sans text-xs pointer-coarse:hidden">
            T
          </kbd>
        </span>
        {next && (
          <span {...langOf(wordsOf(next))} className="font-serif text-base font-normal">
            {wordsOf(next)}
          </span>
        )}
      </TapButton>
      <div className="grid grid-cols-2 gap-3">
        <Button
          icon={<Undo2 aria-hidden="true" />}
          isSpent={tapping.past.length === 0}
          aria-keyshortcuts="u"
          onClick={onUndo}
        >
          Undo
        </Button>
        <Button variant="primary" isSpent={!isUnsaved} busy={isSaving} onClick={onSave}>
          Save timing
        </Button>
      </div>
    </div>
  );
}

type TapButtonProps = { onTap: () => void; isSpent: boolean; children: ReactNode };

/** Acts when pressed, not when released: that is when the line begins. */
function TapButton({ onTap, isSpent, children }: TapButtonProps) {
  const isDone = useRef(false);
  const press = () => !isSpent && onTap();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    // The player would pause at Space.
    event.stopPropagation();
    if (!event.repeat) press();
  };
  return (
    <button
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
        // Only screen readers click without a pointer event first.
        if (!isDone.current) press();
        isDone.current = false;
      }}
      className={clsx(
        buttonLook('secondary', true),
        'min-h-20 touch-manipulation flex-col border-2 border-action select-none',
        isSpent && spentLook,
      )}
    >
      {children}
    </button>
  );
}
