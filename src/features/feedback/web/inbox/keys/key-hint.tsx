/**
 * Shows the shortcut of a button on wide screens. Hidden from screen readers, which can read the list of
 * shortcuts.
 */
export const KeyHint = ({ children }: { children: string }) => (
  <kbd aria-hidden="true" className="text-xs font-normal text-soft max-lg:hidden">
    {children}
  </kbd>
);
