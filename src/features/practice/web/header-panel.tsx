import { clsx } from 'clsx';
import { createContext, type ReactNode, useContext, useId, useRef, useState } from 'react';
import { useLeaving } from '#web/ui/use-leaving.ts';

type HeaderPanelProps = {
  label: string;
  /** Content of the button: part of the label, or an icon. */
  shown: ReactNode;
  className?: string;
  children: ReactNode;
};

const ClosePanel = createContext(() => {});

/** Returns a function that closes the surrounding panel and returns focus to its button. */
export const useClosePanel = () => useContext(ClosePanel);

/** A header button with a panel that opens below it. Esc, or a press or focus elsewhere, closes it. */
export function HeaderPanel({ label, shown, className, children }: HeaderPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  const around = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    button.current?.focus();
    setIsOpen(false);
  };

  useLeaving(around, isOpen, () => setIsOpen(false));

  return (
    <div
      ref={around}
      {...(isOpen && { 'data-closes-itself': '' })}
      onKeyDown={({ key }) => key === 'Escape' && isOpen && close()}
      className={clsx('desk:relative', className)}
    >
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className="inline-flex min-h-12 min-w-12 items-center justify-center gap-2 rounded-md text-sm font-semibold hover:bg-sunk desk:px-3 [&_svg]:size-5"
      >
        {shown}
      </button>
      {isOpen && (
        <div
          id={id}
          role="group"
          aria-label={label}
          className="absolute inset-x-2 top-full grid max-h-[calc(100dvh-4rem)] gap-4 overflow-y-auto rounded-md border border-line bg-surface p-4 shadow-soft min-[30rem]:start-auto min-[30rem]:w-96 desk:end-0"
        >
          <ClosePanel value={close}>{children}</ClosePanel>
        </div>
      )}
    </div>
  );
}
