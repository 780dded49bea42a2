import { useRef } from 'react';

/** Handlers for the content of a dialog that has no trigger of its own: Radix would leave focus nowhere. */
export function useFocusReturn() {
  const origin = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      origin.current = document.activeElement;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      if (origin.current instanceof HTMLElement && origin.current.isConnected) origin.current.focus();
      // What was deleted in the dialog has taken its button along: then on from the page's content, unless focus has
      // been given a better place meanwhile.
      else if (document.activeElement === document.body) document.getElementById('content')?.focus();
    },
  };
}
