import * as RadixDialog from '@radix-ui/react-dialog';
import { clsx } from 'clsx';
import { type ComponentProps, type KeyboardEvent, type ReactNode, type RefObject, useEffect } from 'react';
import { type FocusedElement, usesEscape } from './engine/shortcuts.ts';
import { useFocusReturn } from '#web/ui/use-focus-return.ts';
import { useRootClass } from '#web/ui/use-root-class.ts';
import { PLAYER_OPEN_CLASS } from '#features/melodies/played-melody.ts';
import { ClosePlayerButton, PlayerHeader, playerScreenClass } from './player-header.tsx';

type PlayerDialogProps = {
  melodyId: number;
  /** Null if the children include their own {@link PlayerDialogHeader}. */
  heading: Pick<ComponentProps<typeof PlayerHeader>, 'title' | 'level'> | null;
  menu?: ReactNode;
  onClose: () => void;
  /**
   * Whether the element to focus is rendered later and takes focus with {@link useInitialFocus}. Until then,
   * the dialog itself has focus.
   */
  takesFocusLater?: boolean;
  onKeyDown?: (event: KeyboardEvent, focused: FocusedElement) => void;
  children: ReactNode;
};

/**
 * A full-screen dialog. Traps focus, and on closing returns focus to the button that opened the dialog. On
 * short screens, the dialog scrolls as a whole.
 */
export function PlayerDialog({
  melodyId,
  heading,
  menu,
  onClose,
  takesFocusLater = false,
  onKeyDown,
  children,
}: PlayerDialogProps) {
  const { onOpenAutoFocus, onCloseAutoFocus } = useFocusReturn();
  useRootClass(PLAYER_OPEN_CLASS);
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
            // Focuses the melody's own button if a link opened the player, because there is no earlier focus
            // to restore in that case.
            if (document.activeElement === document.body) findPlayerButton(melodyId)?.focus();
          }}
          onEscapeKeyDown={(event) => {
            const { target } = event;
            if (!(target instanceof Element)) return;
            if (usesEscape(toFocusedElement(target)) || target.closest('[data-closes-itself]'))
              event.preventDefault();
          }}
          onKeyDown={(event) => {
            // Ignores events from dialogs that are open above this one. React bubbles them to this dialog too,
            // although their elements are not inside it.
            const isWithin = event.target instanceof Element && event.currentTarget.contains(event.target);
            if (isWithin) onKeyDown?.(event, toFocusedElement(event.target as Element));
          }}
          className={clsx('fixed inset-0 z-40 flex', playerScreenClass)}
        >
          {heading && (
            <PlayerDialogHeader
              {...heading}
              close={
                <RadixDialog.Close asChild>
                  <ClosePlayerButton />
                </RadixDialog.Close>
              }
            >
              {menu}
            </PlayerDialogHeader>
          )}
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

/** Header whose title names the dialog. */
export const PlayerDialogHeader = (props: Omit<ComponentProps<typeof PlayerHeader>, 'as'>) => (
  <PlayerHeader as={RadixDialog.Title} {...props} />
);

/** Focuses the element when it is shown, unless focus has already moved. */
export function useInitialFocus(first: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (document.activeElement?.matches('[role=dialog], body')) first.current?.focus();
  }, [first]);
}

/**
 * Returns the visible element in the library that opens this melody's player: the button on its card, or its
 * title if the button is hidden, as in a row on a phone. Undefined if the library doesn't show the melody.
 */
const findPlayerButton = (melodyId: number) =>
  [...document.querySelectorAll<HTMLElement>(`[data-player-of="${melodyId}"]`)].findLast(
    ({ offsetParent }) => offsetParent !== null,
  );

const toFocusedElement = (element: Element): FocusedElement => ({
  tagName: element.tagName,
  role: element.getAttribute('role'),
  ...(element instanceof HTMLElement && { isContentEditable: element.isContentEditable }),
  ...(element instanceof HTMLInputElement && { type: element.type }),
});
