import { Search, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Field } from './field.tsx';

type SearchFieldProps = {
  label: string;
  placeholder?: string;
  maxLength?: number;
  value: string;
  onChange: (value: string) => void;
  className?: string;
};

/** A field that filters the content below it. Its clear button, or Esc, empties the field. */
export function SearchField({ label, placeholder, maxLength, value, onChange, className }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  // Reports text that was typed into the server-rendered page before hydration.
  useEffect(() => {
    const early = input.current?.value ?? '';
    if (early !== '' && early !== value) onChange(early);
  }, []); // oxlint-disable-line react/exhaustive-deps

  const clear = () => {
    onChange('');
    input.current?.focus();
  };
  return (
    <Field label={label} className={className}>
      {(wiring) => (
        <div className="relative">
          <Search className="pointer-events-none absolute start-3.5 top-3.5 size-5 text-soft" />
          <input
            {...wiring}
            ref={input}
            type="search"
            dir="auto"
            name="search"
            enterKeyHint="search"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={placeholder}
            maxLength={maxLength}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape' && value !== '') clear();
            }}
            className="h-12 w-full rounded-md border border-edge bg-surface ps-11 pe-12 text-base leading-normal text-ellipsis text-ink [&::-webkit-search-cancel-button]:hidden"
          />
          {value !== '' && (
            <button
              type="button"
              onClick={clear}
              aria-label="Clear the search"
              className="absolute end-0 top-0 grid size-12 place-items-center rounded-md hover:bg-sunk"
            >
              <X className="size-5" />
            </button>
          )}
        </div>
      )}
    </Field>
  );
}
