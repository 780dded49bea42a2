import type { ReactNode } from 'react';

/**
 * Frame for the controls. Has its full height even before the player exists, so that nothing moves when the
 * controls appear.
 */
export const DockFrame = ({ children }: { children?: ReactNode }) => (
  <footer className="z-10 flex min-h-49.5 shrink-0 flex-col overflow-x-clip border-t border-line bg-surface px-3 pt-1.5 pb-[max(0.375rem,env(safe-area-inset-bottom))] sm:px-8 desk:min-h-48.5 desk:pt-3.5 desk:pb-4 beside:min-h-0 beside:w-92 beside:overflow-y-auto beside:border-s beside:border-t-0 beside:px-3">
    <div className="mx-auto grid w-full max-w-xl grid-cols-[minmax(0,1fr)] gap-1 desk:max-w-[84rem] desk:gap-2">
      {children}
    </div>
  </footer>
);
