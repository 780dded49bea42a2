import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';
import { buttonLook, type ButtonVariant, spentLook } from './button.tsx';
import { Spinner } from './spinner.tsx';
import { Tooltip } from './tooltip.tsx';

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'aria-label'> & {
  /** Name of the button: read by screen readers and shown as a tooltip. */
  label: string;
  icon: ReactNode;
  variant?: ButtonVariant;
  busy?: boolean;
  /** The button has nothing to do now, as in {@link Button}. */
  isSpent?: boolean;
};

/** A button with only an icon, at least 44 px in each direction. */
export function IconButton({
  label,
  icon,
  variant = 'quiet',
  busy = false,
  isSpent = false,
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
        aria-disabled={busy || isSpent || undefined}
        aria-busy={busy || undefined}
        onClick={busy || isSpent ? undefined : onClick}
        className={clsx(buttonLook(variant), 'min-w-12 px-0', isSpent && spentLook, className)}
      >
        {busy ? <Spinner /> : icon}
      </button>
    </Tooltip>
  );
}
