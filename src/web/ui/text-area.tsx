import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import {
  inputClass,
  Field,
  type LabelledFieldProps,
  getTextLimitProps,
  type TextLimitProps,
} from './field.tsx';

export function TextArea({
  label,
  hint,
  error,
  isOptional,
  className,
  limit,
  ...area
}: LabelledFieldProps & TextLimitProps & ComponentProps<'textarea'>) {
  return (
    <Field
      {...{ label, hint, isOptional, className, id: area.id, ...getTextLimitProps(area.value, limit, error) }}
    >
      {(wiring) => (
        <textarea
          rows={4}
          dir="auto"
          {...area}
          {...wiring}
          className={clsx(inputClass, 'block resize-y py-2.5')}
        />
      )}
    </Field>
  );
}
