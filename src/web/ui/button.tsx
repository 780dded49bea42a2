import { clsx } from 'clsx';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { Spinner } from './spinner.tsx';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';

type ButtonStyle = {
  variant?: ButtonVariant;
  /** As wide as its container; for the main action on a phone screen. */
  isWide?: boolean;
  icon?: ReactNode;
};

type ButtonProps = ComponentProps<'button'> &
  ButtonStyle & {
    /**
     * Whether the button's action is in progress. If set, even to false, the second press of a double click is
     * ignored.
     */
    busy?: boolean;
    /**
     * Whether the button has nothing to do at the moment. Unlike a disabled button, it keeps focus, because it
     * may just have been pressed.
     */
    isInactive?: boolean;
  };

/** A button that, while busy, shows a spinner, keeps focus and ignores presses. */
export function Button({
  variant = 'secondary',
  isWide = false,
  icon,
  busy,
  isInactive = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const isResting = busy || isInactive;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (isResting) return;
    if (busy !== undefined && event.detail > 1) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      type={isResting ? 'button' : type}
      aria-disabled={isResting || undefined}
      aria-busy={busy || undefined}
      onClick={press}
      className={clsx(
        getButtonClass(variant, isWide),
        busy ? 'cursor-progress opacity-80' : isInactive && inactiveButtonClass,
        className,
      )}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
}

type ButtonLinkProps = {
  href: string;
  children: ReactNode;
  className?: string;
  onClick?: () => void;
} & ButtonStyle;

/** A link that looks like a button, to another page of the app. */
export function ButtonLink({
  variant = 'secondary',
  isWide = false,
  icon,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <Link {...rest} className={clsx(getButtonClass(variant, isWide), className)}>
      {icon}
      {children}
    </Link>
  );
}

/**
 * Returns the classes of a button, for elements that can't be a `<button>`, such as a link that leaves the app.
 */
export function getButtonClass(variant: ButtonVariant, isWide = false) {
  return clsx(
    'inline-flex min-h-12 items-center justify-center gap-2 rounded-md border px-4 py-2 text-center text-sm leading-tight font-semibold',
    'transition-colors duration-150 disabled:opacity-60 [&_svg]:size-5 [&_svg]:shrink-0',
    variantClasses[variant],
    isWide && 'w-full',
  );
}

export const inactiveButtonClass = 'pointer-events-none opacity-60';

const variantClasses: Record<ButtonVariant, string> = {
  primary:
    'border-transparent bg-action text-on-action enabled:hover:bg-action-hover [a&]:hover:bg-action-hover',
  secondary: 'border-edge bg-surface text-ink enabled:hover:bg-sunk [a&]:hover:bg-sunk',
  quiet: 'border-transparent text-ink enabled:hover:bg-sunk [a&]:hover:bg-sunk',
  danger: 'border-transparent bg-danger text-on-danger enabled:hover:bg-danger-hover',
};
