import * as RadixDialog from '@radix-ui/react-dialog';
import { Menu, X } from 'lucide-react';
import { useState } from 'react';
import { SideMenu } from './side-menu.tsx';

const square = 'grid size-12 shrink-0 place-items-center rounded-md hover:bg-sunk';

/** The side menu on small screens: out by its button, away by a link, the cross, Esc or a touch beside it. */
export function Drawer() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <RadixDialog.Trigger aria-label="Menu" className={`${square} -ms-2 lg:hidden`}>
        <Menu aria-hidden="true" className="size-6" />
      </RadixDialog.Trigger>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-30 bg-scrim lg:hidden" />
        <RadixDialog.Content
          aria-describedby={undefined}
          // Focus goes to the heading of the page that the link led to, not back to the button.
          onCloseAutoFocus={(event) => document.activeElement?.matches('h1') && event.preventDefault()}
          className="fixed inset-y-0 start-0 z-30 w-[min(20rem,calc(100vw-3rem))] overflow-y-auto border-e border-line bg-surface motion-safe:data-[state=open]:animate-[slide-in_150ms_ease-out] lg:hidden"
        >
          <RadixDialog.Title className="sr-only">Menu</RadixDialog.Title>
          <RadixDialog.Close aria-label="Close menu" className={`${square} absolute end-2 top-3`}>
            <X aria-hidden="true" className="size-6" />
          </RadixDialog.Close>
          <SideMenu onLinkClick={() => setIsOpen(false)} />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
