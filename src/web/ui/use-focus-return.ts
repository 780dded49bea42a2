import { useRef } from 'react';

/**
 * Returns handlers that restore focus when a dialog without a trigger of its own closes. By itself, Radix
 * would lose the focus.
 */
export function useFocusReturn() {
  const origin = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      origin.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (origin.current instanceof HTMLElement && origin.current.isConnected) origin.current.focus();
      // If the dialog's action removed the button that opened it, focuses the page's content, unless focus has
      // moved elsewhere.
      else if (document.activeElement === document.body) document.getElementById('content')?.focus();
    },
  };
}
