import * as RadixDialog from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import type { RefObject } from 'react';
import { SideMenu } from './side-menu.tsx';

export type MenuDrawerPanelProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** The button that opens the drawer. */
  button: RefObject<HTMLButtonElement | null>;
};

/** The panel of the drawer. A link, the close button, Esc or a press outside closes the panel. */
export default function MenuDrawerPanel({ isOpen, onOpenChange, button }: MenuDrawerPanelProps) {
  // If a link closed the drawer and the new page is already shown, focus stays on its heading. Otherwise,
  // focus returns to the button.
  const returnFocus = (event: Event) => {
    event.preventDefault();
    if (!document.activeElement?.matches('h1')) button.current?.focus();
  };
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-30 bg-scrim lg:hidden" />
        <RadixDialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          className="fixed inset-y-0 start-0 z-30 w-[min(20rem,calc(100vw-3rem))] overflow-y-auto border-e border-line bg-surface motion-safe:data-[state=open]:animate-[slide-in_150ms_ease-out] lg:hidden"
        >
          <RadixDialog.Title className="sr-only">Menu</RadixDialog.Title>
          <RadixDialog.Close
            aria-label="Close menu"
            className="absolute end-2 top-3 grid size-12 place-items-center rounded-md hover:bg-sunk"
          >
            <X className="size-6" />
          </RadixDialog.Close>
          <SideMenu onLinkClick={() => onOpenChange(false)} />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
