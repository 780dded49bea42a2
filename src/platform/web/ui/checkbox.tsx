import { clsx } from 'clsx';
import type { ComponentProps, ReactNode } from 'react';

type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; hint?: ReactNode };

/** The whole line can be pressed. */
export function Checkbox({ label, hint, className, ...input }: CheckboxProps) {
  return (
    <label className={clsx('flex min-h-11 cursor-pointer items-start gap-3 py-2', className)}>
      <input
        {...input}
        type="checkbox"
        className="mt-0.5 size-6 shrink-0 cursor-pointer accent-action disabled:cursor-not-allowed"
      />
      <span>
        <span className="block leading-snug">{label}</span>
        {hint && <span className="mt-0.5 block text-sm text-soft">{hint}</span>}
      </span>
    </label>
  );
}
