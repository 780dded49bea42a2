import { clsx } from 'clsx';
import { createContext, type ReactNode, useContext, useId, useRef, useState } from 'react';
import { X } from 'lucide-react';
import { IconButton } from '#web/ui/icon-button.tsx';
import { useOnInteractOutside } from '#web/ui/use-on-interact-outside.ts';

type HeaderPanelProps = {
  label: string;
  /** Heading of the panel, with a button to close it. */
  title?: string;
  /** Visible content of the button. Any text in it must also be in `label`, the accessible name. */
  shown: ReactNode;
  className?: string;
  children: ReactNode;
};

const ClosePanel = createContext(() => {});

/** Returns a function that closes the surrounding panel and returns focus to its button. */
export const useCloseHeaderPanel = () => useContext(ClosePanel);

/**
 * A header button with a panel. On phones, the panel covers the lower half of the screen, so that the words
 * stay visible. On desktops, it opens below the button. Esc closes it, and so does pressing or focusing
 * anything outside.
 */
export function HeaderPanel({ label, title, shown, className, children }: HeaderPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  const around = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    button.current?.focus();
    setIsOpen(false);
  };

  useOnInteractOutside(around, isOpen, () => setIsOpen(false));

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
          className={clsx(
            'grid gap-4 overflow-y-auto border border-line bg-surface px-4 pb-4 shadow-soft',
            'max-desk:fixed max-desk:inset-x-0 max-desk:bottom-0 max-desk:max-h-[45dvh] max-desk:rounded-t-lg',
            'beside:inset-x-auto! beside:end-0! beside:top-12 beside:max-h-none! beside:w-92 tiny:max-h-[70dvh]!',
            'desk:absolute desk:end-0 desk:top-full desk:max-h-[calc(100dvh-4rem)] desk:w-96 desk:rounded-md',
            title === undefined && 'pt-4',
          )}
        >
          {title !== undefined && (
            <div className="sticky top-0 z-10 -mx-4 flex items-center gap-2 border-b border-line bg-surface ps-4 pe-1">
              <p className="line-clamp-2 grow font-serif text-lg leading-snug wrap-anywhere">{title}</p>
              <IconButton label="Close menu" icon={<X />} onClick={close} />
            </div>
          )}
          <ClosePanel value={close}>{children}</ClosePanel>
        </div>
      )}
    </div>
  );
}
