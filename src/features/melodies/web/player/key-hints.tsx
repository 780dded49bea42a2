import type { ReactNode } from 'react';

export const KeyHints = ({ className }: { className?: string }) => (
  <p className={className}>
    <Key>Spacebar</Key> play/pause · <Key>ESC</Key> closes · <Key>←</Key> <Key>→</Key> 5 seconds
  </p>
);

export const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded-sm border border-line bg-sunk px-1.5 font-sans text-xs font-semibold text-ink">
    {children}
  </kbd>
);
