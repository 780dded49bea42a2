import { clsx } from 'clsx';
import { useId } from 'react';

type ChoiceProps<V extends string> = {
  label: string;
  value: V;
  options: readonly { value: V; label: string }[];
  onChange: (value: V) => void;
  /** Explains the options. */
  hint?: string;
};

/** A choice between a few visible options: native radio buttons, each in a bordered box. */
export function RadioGroup<V extends string>({ label, value, options, onChange, hint }: ChoiceProps<V>) {
  const name = useId();
  return (
    <fieldset aria-describedby={hint ? `${name}-hint` : undefined}>
      <legend className="mb-2 text-sm font-semibold">{label}</legend>
      <div className="grid gap-2 sm:auto-cols-fr sm:grid-flow-col">
        {options.map((option) => (
          <label
            key={option.value}
            className={clsx(
              'flex min-h-12 cursor-pointer items-center gap-2.5 rounded-md border px-3 py-2 text-sm leading-tight',
              'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-lapis',
              option.value === value
                ? 'border-action bg-action-ground font-semibold text-action'
                : 'border-edge hover:bg-sunk',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="size-5 shrink-0 accent-action outline-none"
            />
            {option.label}
          </label>
        ))}
      </div>
      {hint && (
        <p id={`${name}-hint`} className="mt-2 text-sm text-soft">
          {hint}
        </p>
      )}
    </fieldset>
  );
}
