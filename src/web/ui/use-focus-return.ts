import { useRef } from 'react';

/** Returns handlers for the content of a dialog that has no trigger of its own; Radix would lose focus after it. */
export function useFocusReturn() {
  const origin = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      origin.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (origin.current instanceof HTMLElement && origin.current.isConnected) origin.current.focus();
      // If the dialog's button was deleted by the dialog's action, focuses the page's content, unless focus has moved
      // elsewhere since.
      else if (document.activeElement === document.body) document.getElementById('content')?.focus();
    },
  };
}
