import type { ReactNode } from 'react';

/** A keyboard key, drawn as a keycap. */
export const KeyCap = ({ children }: { children: ReactNode }) => (
  <kbd className="inline-grid min-w-7 place-items-center rounded-md border border-b-3 border-edge bg-surface px-1.5 py-0.5 font-sans text-xs leading-tight font-semibold text-ink">
    {children}
  </kbd>
);
