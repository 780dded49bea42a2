import { clsx } from 'clsx';
import { type ReactNode, useId } from 'react';
import { useLongPress } from '#features/lyrics/web/use-long-press.ts';

type SettingChipProps = {
  /** Accessible name, which must contain the visible text. */
  label: string;
  shown: ReactNode;
  /** Whether the value differs from the default. */
  isUnusual: boolean;
  disabled?: boolean;
  onStep: () => void;
  /** Id of the settings opened by a long press or the down arrow. */
  settingsId: string;
  isOpen: boolean;
  onOpen: () => void;
  className?: string;
};

/** A button that steps through the usual values. A long press or the down arrow opens all settings. */
export function SettingChip(props: SettingChipProps) {
  const { label, shown, isUnusual, disabled, onStep, settingsId, isOpen, onOpen, className } = props;
  const hintId = useId();
  const { pressedElement, handlers } = useLongPress((target) => target.closest('button:enabled'), onOpen);
  return (
    <>
      <button
        type="button"
        disabled={disabled}
        aria-label={label}
        aria-describedby={hintId}
        aria-expanded={isOpen}
        aria-controls={isOpen ? settingsId : undefined}
        onClick={onStep}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          onOpen();
        }}
        {...handlers}
        className={clsx(
          'grid min-h-12 min-w-11 touch-manipulation place-items-center rounded-md border px-1 text-base leading-none font-semibold tabular-nums select-none disabled:opacity-60 [&_svg]:size-6',
          isUnusual
            ? 'border-saffron bg-saffron-ground text-saffron-ink'
            : 'border-edge bg-surface enabled:hover:bg-sunk',
          pressedElement && 'outline-3 outline-offset-2 outline-saffron',
          className,
        )}
      >
        {shown}
      </button>
      <span id={hintId} hidden>
        Press and hold for more choices, or press the down arrow key.
      </span>
    </>
  );
}
