/** The key of a button, where there is a keyboard. For the eye alone: the list of keys says it to all. */
export const KeyHint = ({ children }: { children: string }) => (
  <kbd aria-hidden="true" className="text-xs font-normal text-soft max-lg:hidden">
    {children}
  </kbd>
);
