import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { inputClass, Field, type LabelledFieldProps } from './field.tsx';

/** The browser's own select, which phones display best. */
export function Select({
  label,
  hint,
  error,
  isOptional,
  className,
  children,
  ...select
}: LabelledFieldProps & ComponentProps<'select'>) {
  return (
    <Field {...{ label, hint, error, isOptional, className, id: select.id }}>
      {(wiring) => (
        <div className="relative">
          <select
            {...select}
            {...wiring}
            className={clsx(inputClass, 'h-12 appearance-none pe-11 text-ellipsis')}
          >
            {children}
          </select>
          <svg
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
            aria-hidden="true"
            className="pointer-events-none absolute end-3 top-3.5 size-5 text-soft"
          >
            <path d="m6 9 6 6 6-6" />
          </svg>
        </div>
      )}
    </Field>
  );
}
