import { clsx } from 'clsx';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { CharacterCounter, getTooLongMessage } from './text-limit.tsx';

/**
 * Maximum length of a text, in characters. Unlike with maxLength, users can type or paste a longer text, but
 * the form does not send it.
 */
export type TextLimitProps = { limit?: number };

export type LabelledFieldProps = {
  label: string;
  hint?: ReactNode;
  /** Error message. Shown below the field, and announced with it by screen readers. */
  error?: string | null | undefined;
  /** Shows '(optional)' after the label. */
  isOptional?: boolean | undefined;
};

export function TextField({
  label,
  hint,
  error,
  isOptional,
  className,
  limit,
  ...input
}: LabelledFieldProps & TextLimitProps & ComponentProps<'input'>) {
  return (
    <Field
      {...{
        label,
        hint,
        isOptional,
        className,
        id: input.id,
        ...getTextLimitProps(input.value, limit, error),
      }}
    >
      {(wiring) => (
        <input type="text" dir="auto" {...input} {...wiring} className={clsx(inputClass, 'h-12')} />
      )}
    </Field>
  );
}

/** A password field with a button to show what is typed. */
export function PasswordField({
  label,
  hint,
  error,
  isOptional,
  className,
  ...input
}: LabelledFieldProps & Omit<ComponentProps<'input'>, 'type'>) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field {...{ label, hint, error, isOptional, className, id: input.id }}>
      {(wiring) => (
        <div className="relative">
          <input
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            {...input}
            {...wiring}
            type={isShown ? 'text' : 'password'}
            className={clsx(inputClass, 'h-12 pe-20')}
          />
          <button
            type="button"
            onClick={() => setIsShown(!isShown)}
            aria-label={`${isShown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
            className="absolute inset-y-0.5 end-0.5 min-w-16 rounded-md px-3 text-sm font-semibold text-lapis"
          >
            {isShown ? 'Hide' : 'Show'}
          </button>
        </div>
      )}
    </Field>
  );
}

export function getTextLimitProps(
  value: ComponentProps<'textarea'>['value'],
  limit: number | undefined,
  error: LabelledFieldProps['error'],
) {
  if (limit === undefined) return { error };
  const text = String(value ?? '');
  return {
    error: getTooLongMessage(text, limit) ?? error,
    below: <CharacterCounter text={text} limit={limit} />,
  };
}

type ControlProps = { id: string; 'aria-invalid'?: true; 'aria-describedby'?: string };

type FieldProps = LabelledFieldProps & {
  id?: string | undefined;
  className?: string | undefined;
  below?: ReactNode;
  children: (wiring: ControlProps) => ReactNode;
};

/** A label above the control, an error and a hint below it, all connected to it for screen readers. */
export function Field({
  label,
  hint,
  error,
  isOptional = false,
  id,
  className,
  below,
  children,
}: FieldProps) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  const hintId = hint ? `${fieldId}-hint` : null;
  const errorId = error ? `${fieldId}-error` : null;
  const describedBy = [errorId, hintId].filter((each) => each !== null).join(' ');
  return (
    <div className={className}>
      <label htmlFor={fieldId} className="mb-1.5 block text-sm font-semibold">
        {label}
        {isOptional && <span className="font-normal text-soft"> (optional)</span>}
      </label>
      {children({
        id: fieldId,
        ...(error ? { 'aria-invalid': true } : {}),
        ...(describedBy ? { 'aria-describedby': describedBy } : {}),
      })}
      {error && (
        <p id={errorId ?? undefined} className="mt-1.5 text-sm font-semibold text-danger">
          {error}
        </p>
      )}
      {below}
      {hint && (
        <p id={hintId ?? undefined} className="mt-1.5 text-sm text-soft">
          {hint}
        </p>
      )}
    </div>
  );
}

export const inputClass =
  'w-full rounded-md border border-edge bg-surface px-3.5 text-base leading-normal text-ink disabled:bg-sunk disabled:text-soft aria-invalid:border-2 aria-invalid:border-danger';
