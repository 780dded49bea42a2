/** Shortcut of a button, on wide screens. Hidden from screen readers: the list of shortcuts is accessible instead. */
export const KeyHint = ({ children }: { children: string }) => (
  <kbd aria-hidden="true" className="text-xs font-normal text-soft max-lg:hidden">
    {children}
  </kbd>
);
