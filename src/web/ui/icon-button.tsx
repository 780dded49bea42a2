import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { getButtonClass, type ButtonVariant, inactiveButtonClass } from './button.tsx';
import { Spinner } from './spinner.tsx';
import { Tooltip } from './tooltip.tsx';

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  /** Name of the button: read by screen readers and shown as a tooltip. */
  label: string;
  icon: ReactNode;
  variant?: ButtonVariant;
  busy?: boolean;
  /** Whether the button has nothing to do at the moment, as in {@link Button}. */
  isInactive?: boolean;
};

/** A button with only an icon, at least 44 px in each direction. */
export function IconButton({
  label,
  icon,
  variant = 'quiet',
  busy = false,
  isInactive = false,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-disabled={busy || isInactive || undefined}
        aria-busy={busy || undefined}
        onClick={busy || isInactive ? undefined : onClick}
        className={clsx(
          getButtonClass(variant),
          'min-w-12 px-0',
          isInactive && inactiveButtonClass,
          className,
        )}
      >
        {busy ? <Spinner /> : icon}
      </button>
    </Tooltip>
  );
}
