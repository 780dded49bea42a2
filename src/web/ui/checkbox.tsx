import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode };

/** A checkbox whose whole row can be pressed. */
export function Checkbox({ label, hint, className, ...input }: CheckboxProps) {
  return (
    <label className={clsx('flex min-h-11 cursor-pointer items-start gap-3 py-2', className)}>
      <input {...input} type="checkbox" className={boxClass} />
      <span className="min-w-0 grow">
        <span dir="auto" className="block leading-snug">
          {label}
        </span>
        {hint && (
          <span dir="auto" className="mt-0.5 block text-sm text-soft">
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}

/**
 * Classes for a custom-drawn box, because the browser's empty box is cold grey on a dark page. In
 * forced-colors mode, the browser's own box is shown.
 */
const boxClass = clsx(
  'mt-0.5 grid size-6 shrink-0 cursor-pointer appearance-none place-content-center rounded-sm border-2',
  'border-edge bg-surface checked:border-action checked:bg-action disabled:cursor-not-allowed forced-colors:appearance-auto',
  'before:size-3.5 before:bg-on-action before:opacity-0 checked:before:opacity-100 forced-colors:before:hidden',
  'before:[clip-path:polygon(14%_44%,0_60%,40%_100%,100%_18%,84%_5%,38%_68%)]',
);
