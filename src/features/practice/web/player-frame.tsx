import * as RadixDialog from '@radix-ui/react-dialog';
import { clsx } from 'clsx';
import { type ComponentProps, type KeyboardEvent, type ReactNode, type RefObject, useEffect } from 'react';
import { type Focused, usesEscape } from './engine/shortcuts.ts';
import { useFocusReturn } from '#web/ui/focus-return.ts';
import { ClosePlayer, PlayerHead, playerScreen } from './player-head.tsx';

type PlayerFrameProps = {
  melodyId: number;
  /** Null for what brings a {@link FrameHead} of its own. */
  heading: Pick<ComponentProps<typeof PlayerHead>, 'title' | 'level'> | null;
  menu?: ReactNode;
  onClose: () => void;
  /**
   * The element to focus appears a moment later, through {@link useFirstFocus}; until then the dialog itself has focus.
   */
  takesFocusLater?: boolean;
  onKeyDown?: (event: KeyboardEvent, focused: Focused) => void;
  children: ReactNode;
};

/** Fills the screen; focus is trapped, and returns to the button. Low screens scroll as a whole. */
export function PlayerFrame({
  melodyId,
  heading,
  menu,
  onClose,
  takesFocusLater = false,
  onKeyDown,
  children,
}: PlayerFrameProps) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn();
  return (
    <RadixDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            onOpenAutoFocus();
            if (!takesFocusLater) return;
            event.preventDefault();
            if (event.target instanceof HTMLElement) event.target.focus();
          }}
          onCloseAutoFocus={(event) => {
            onCloseAutoFocus(event);
            // Opened by a link, there is nothing to return focus to but the melody's own button.
            if (document.activeElement === document.body) buttonOf(melodyId)?.focus();
          }}
          onEscapeKeyDown={(event) => {
            const { target } = event;
            if (!(target instanceof Element)) return;
            if (usesEscape(focusedOf(target)) || target.closest('[data-closes-itself]'))
              event.preventDefault();
          }}
          onKeyDown={(event) => {
            // React also delivers events from a dialog above this one.
            const isWithin = event.target instanceof Element && event.currentTarget.contains(event.target);
            if (isWithin) onKeyDown?.(event, focusedOf(event.target as Element));
          }}
          className={clsx('fixed inset-0 z-40 flex', playerScreen)}
        >
          {heading && (
            <FrameHead
              {...heading}
              close={
                <RadixDialog.Close asChild>
                  <ClosePlayer />
                </RadixDialog.Close>
              }
            >
              {menu}
            </FrameHead>
          )}
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** The head that names the dialog. */
export const FrameHead = (props: Omit<ComponentProps<typeof PlayerHead>, 'as'>) => (
  <PlayerHead as={RadixDialog.Title} {...props} />
);

/** Focuses the element when it is shown, unless focus has been moved already. */
export function useFirstFocus(first: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (document.activeElement?.matches('[role=dialog], body')) first.current?.focus();
  }, [first]);
}

/** The melody's button in its card; in a row of a phone, where that is folded away, its title. */
const buttonOf = (melodyId: number) =>
  [...document.querySelectorAll<HTMLElement>(`[data-player-of="${melodyId}"]`)].findLast(
    ({ offsetParent }) => offsetParent !== null,
  );

const focusedOf = (element: Element): Focused => ({
  tagName: element.tagName,
  role: element.getAttribute('role'),
  ...(element instanceof HTMLElement && { isContentEditable: element.isContentEditable }),
  ...(element instanceof HTMLInputElement && { type: element.type }),
});
