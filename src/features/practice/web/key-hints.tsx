import type { ReactNode } from 'react';

export const KeyHints = () => (
  <p>
    <Key>Spacebar</Key> play/pause · <Key>ESC</Key> closes · <Key>←</Key> <Key>→</Key> 5 seconds · in the
    waveform <Key>+</Key> <Key>−</Key> zoom
  </p>
);

export const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded-sm border border-line bg-sunk px-1.5 font-sans text-xs font-semibold text-ink">
    {children}
  </kbd>
);
