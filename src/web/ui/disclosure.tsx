import { clsx } from 'clsx';
import { type ReactNode, useId, useState } from 'react';

type DisclosureProps = {
  label: ReactNode;
  isOpenAtFirst?: boolean;
  /**
   * Whether the content must stay visible, for example because a field in it has an error. While this is
   * true, the user can't hide the content.
   */
  isNeeded?: boolean;
  /** Rendered only while open. */
  children: () => ReactNode;
};

/** A button that shows and hides the content below it. */
export function Disclosure({ label, isOpenAtFirst = false, isNeeded = false, children }: DisclosureProps) {
  const id = useId();
  const [isWanted, setIsWanted] = useState(isOpenAtFirst);
  const isOpen = isWanted || isNeeded;
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsWanted(!isOpen)}
        className="-ms-2 inline-flex min-h-11 max-w-full items-center gap-2 rounded-md px-2 py-1 text-start text-sm font-semibold text-lapis hover:bg-sunk"
      >
        {/* Not from lucide-react, which would add 1 KB to the sign-in page for this one icon. */}
        <svg
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
          className={clsx('size-5 shrink-0 transition-transform duration-150', isOpen && 'rotate-180')}
        >
          <path d="m6 9 6 6 6-6" />
        </svg>
        <span className="min-w-0 break-words">{label}</span>
      </button>
      {isOpen && (
        <div id={id} className="mt-3">
          {children()}
        </div>
      )}
    </div>
  );
}
