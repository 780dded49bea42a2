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
      // What was deleted in the dialog has taken its button along: then on from the page's content.
      const target = origin.current?.isConnected ? origin.current : document.getElementById('content');
      if (target instanceof HTMLElement) target.focus();
    },
  };
}
