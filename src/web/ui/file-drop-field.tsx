import { clsx } from 'clsx';
import { FileUp, X } from 'lucide-react';
import { type DragEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';

type FileDropFieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  isOptional?: boolean;
  /** As in `<input accept>`: 'audio/*,.m4a'. */
  accept: string;
  file: File | null;
  /** Called with the chosen file, or with null when it is removed. */
  onChange: (file: File | null) => void;
  disabled?: boolean;
};

/** Picks one file by pressing or dropping, and shows its name. */
export function FileDropField({
  label,
  hint,
  error,
  isOptional = false,
  accept,
  file,
  onChange,
  disabled,
}: FileDropFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`, `${id}-file`].filter(Boolean).join(' ');

  usePreventPageDrop();

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const dropped = event.dataTransfer.files[0];
    if (dropped && !disabled) onChange(dropped);
  };
  const remove = () => {
    onChange(null);
    input.current?.focus();
  };

  return (
    <div>
      <p id={`${id}-label`} className="mb-1.5 text-sm font-semibold">
        {label}
        {isOptional && <span className="font-normal text-soft"> (optional)</span>}
      </p>
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={({ currentTarget, relatedTarget }) => {
          // Ignores a `dragleave` event that only means that the pointer has moved to a child element.
          if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsOver(false);
        }}
        onDrop={drop}
        className={clsx(
          'flex items-stretch rounded-md border border-dashed bg-surface',
          error ? 'border-2 border-danger' : 'border-edge',
          isOver && 'bg-saffron-ground',
        )}
      >
        <label className="relative flex min-h-14 min-w-0 grow cursor-pointer items-center gap-3 rounded-md px-4 py-3 focus-within:outline-3 focus-within:outline-offset-2 focus-within:outline-lapis">
          <input
            ref={input}
            type="file"
            accept={accept}
            disabled={disabled}
            aria-labelledby={`${id}-label`}
            aria-describedby={describedBy}
            aria-invalid={error ? true : undefined}
            onChange={(event) => {
              const chosen = event.target.files?.[0];
              if (chosen) onChange(chosen);
              // Resets the input, so that the same file can be chosen again after it was removed.
              event.target.value = '';
            }}
            className="sr-only"
          />
          <FileUp className="size-6 shrink-0 text-soft" />
          <span id={`${id}-file`} className="min-w-0 text-sm">
            {file ? (
              <>
                <span dir="auto" className="block truncate font-semibold">
                  {file.name}
                </span>
                <span className="block text-soft">{formatFileSize(file.size)}</span>
              </>
            ) : (
              <>
                <span className="font-semibold text-lapis">Choose a file</span>
                <span className="text-soft pointer-coarse:hidden"> or drop it here</span>
              </>
            )}
          </span>
        </label>
        {file && !disabled && (
          <button
            type="button"
            onClick={remove}
            aria-label={`Remove ${file.name}`}
            className="grid min-w-12 shrink-0 place-items-center rounded-md hover:bg-sunk"
          >
            <X className="size-5" />
          </button>
        )}
      </div>
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm font-semibold text-danger">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-soft">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Prevents drops elsewhere on the page, because the browser would replace the page with the file. */
function usePreventPageDrop() {
  useEffect(() => {
    const prevent = (event: Event) => event.preventDefault();
    addEventListener('dragover', prevent);
    addEventListener('drop', prevent);
    return () => {
      removeEventListener('dragover', prevent);
      removeEventListener('drop', prevent);
    };
  }, []);
}

/** Formats a file size as phones and our limits do, with 1 MB as 1024 × 1024 bytes: '820 KB', '7.7 MB'. */
export function formatFileSize(bytes: number) {
  const kilobytes = bytes / 1024;
  return kilobytes < 1000
    ? `${Math.max(1, Math.round(kilobytes))} KB`
    : `${(kilobytes / 1024).toFixed(1)} MB`;
}
