import * as RadixDialog from '@radix-ui/react-dialog';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { useFocusReturn } from './use-focus-return.ts';

type DialogProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: string;
  /** A sentence below the title, read out when the dialog opens. */
  description?: ReactNode;
  children: ReactNode;
  /** The row of buttons at the bottom. */
  actions?: ReactNode;
  /** 'full' fills the screen, for the player. */
  size?: 'normal' | 'wide' | 'full';
  /** Whether the dialog is shown above other open dialogs. */
  isOnTop?: boolean;
  /** Gets the focus instead of the close button. */
  initialFocus?: RefObject<HTMLElement | null>;
};

/** A dialog that traps focus and restores it afterwards. Esc or the close button closes the dialog. */
export function Dialog({
  isOpen,
  onOpenChange,
  title,
  description,
  children,
  actions,
  size = 'normal',
  isOnTop = false,
  initialFocus,
}: DialogProps) {
  const focusReturn = useFocusReturn();
  const layer = isOnTop ? 'z-50' : 'z-40';
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={clsx('fixed inset-0 bg-scrim', layer)} />
        <RadixDialog.Content
          {...focusReturn}
          onOpenAutoFocus={(event) => {
            focusReturn.onOpenAutoFocus();
            if (!initialFocus?.current) return;
            event.preventDefault();
            initialFocus.current.focus();
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={clsx(
            'fixed flex flex-col overflow-y-auto bg-surface text-ink',
            layer,
            size === 'full'
              ? 'inset-0'
              : `${centredClass} ${size === 'wide' ? 'sm:max-w-3xl' : 'sm:max-w-lg'}`,
          )}
        >
          <div className="flex items-start justify-between gap-4 p-5 pb-0 sm:p-6 sm:pb-0">
            <RadixDialog.Title className="pt-1.5 text-xl">{title}</RadixDialog.Title>
            <RadixDialog.Close
              aria-label="Close"
              className="-me-2 -mt-1 grid size-12 shrink-0 place-items-center rounded-md hover:bg-sunk"
            >
              <X className="size-6" />
            </RadixDialog.Close>
          </div>
          {description && (
            <RadixDialog.Description className="px-5 pt-1 text-soft sm:px-6">
              {description}
            </RadixDialog.Description>
          )}
          <div className="grow p-5 pt-4 sm:p-6 sm:pt-4">{children}</div>
          {actions && <div className={actionRowClass}>{actions}</div>}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

const centredClass =
  'inset-x-3 top-1/2 max-h-[calc(100dvh-1.5rem)] -translate-y-1/2 rounded-lg border border-line shadow-soft sm:inset-x-0 sm:mx-auto sm:w-[calc(100%-2rem)]';

/**
 * Classes for the row of buttons at the bottom. They are stacked on phones, where the main button, last in
 * the markup, is lowest.
 */
export const actionRowClass =
  'flex flex-col gap-3 border-t border-line p-5 sm:flex-row sm:justify-end sm:px-6 sm:py-4';
