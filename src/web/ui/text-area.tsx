import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import { box, Field, type Labelled, limited, type Limited } from './field.tsx';

export function TextArea({
  label,
  hint,
  error,
  isOptional,
  className,
  limit,
  ...area
}: Labelled & Limited & ComponentProps<'textarea'>) {
  return (
    <Field {...{ label, hint, isOptional, className, id: area.id, ...limited(area.value, limit, error) }}>
      {(wiring) => (
        <textarea rows={4} dir="auto" {...area} {...wiring} className={clsx(box, 'block resize-y py-2.5')} />
      )}
    </Field>
  );
}
