import { useRef } from 'react';

/** Handlers for the content of a dialog that has no trigger of its own, after which Radix would lose focus. */
export function useFocusReturn() {
  const origin = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      origin.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (origin.current instanceof HTMLElement && origin.current.isConnected) origin.current.focus();
      // If the dialog's button was deleted with what the dialog deleted, focuses the page's content, unless focus has
      // moved elsewhere meanwhile.
      else if (document.activeElement === document.body) document.getElementById('content')?.focus();
    },
  };
}
