import * as RadixDialog from '@radix-ui/react-dialog';
import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect } from 'react';
import { type Focused, usesEscape } from '../../../../platform/web/player/shortcuts.ts';
import { useFocusReturn } from '../../../../platform/web/ui/focus-return.ts';
import { LevelBadge } from '../../../levels/web/level-badge.tsx';
import { langOf } from '../tibetan.ts';

type PlayerFrameProps = {
  melodyId: number;
  heading: ReactNode;
  /** Beside the close button. */
  aside?: ReactNode;
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
  aside,
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
            if (event.target instanceof Element && usesEscape(focusedOf(event.target)))
              event.preventDefault();
          }}
          onKeyDown={(event) => {
            // React also delivers events from a dialog above this one.
            const isWithin = event.target instanceof Element && event.currentTarget.contains(event.target);
            if (isWithin) onKeyDown?.(event, focusedOf(event.target as Element));
          }}
          className="group/player fills-screen fixed inset-0 z-40 flex flex-col overflow-y-auto bg-ground text-ink"
        >
          <header className="flex shrink-0 items-start justify-between gap-4 px-4 pt-3 sm:px-8 sm:pt-5">
            {heading}
            {aside}
            <RadixDialog.Close
              aria-label="Close"
              className="-me-2 grid size-12 shrink-0 place-items-center rounded-md hover:bg-sunk"
            >
              <X aria-hidden="true" className="size-6" />
            </RadixDialog.Close>
          </header>
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

type MelodyHeadingProps = { title: string; level?: { id: number; name: string } };

export function MelodyHeading({ title, level }: MelodyHeadingProps) {
  useTabTitle(title);
  return (
    <div className="flex min-h-12 min-w-0 flex-wrap items-center gap-x-4 gap-y-1 pt-1">
      <RadixDialog.Title
        {...langOf(title)}
        // A clamp would cut the stacks of its last line.
        className="line-clamp-2 min-w-0 text-xl wrap-anywhere sm:text-2xl [&:lang(bo)]:line-clamp-none [&:lang(bo)]:leading-[1.9]"
      >
        {title}
      </RadixDialog.Title>
      {level && <LevelBadge level={level} />}
    </div>
  );
}

/** Focuses the element when it is shown, unless focus has been moved already. */
export function useFirstFocus(first: RefObject<HTMLElement | null>) {
  useEffect(() => {
    if (document.activeElement?.matches('[role=dialog]')) first.current?.focus();
  }, [first]);
}

/** Puts the melody into the tab's title, and restores the page's title afterwards. */
function useTabTitle(title: string) {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · ${before}`;
    return () => {
      document.title = before;
    };
  }, [title]);
}

const buttonOf = (melodyId: number) => document.querySelector<HTMLElement>(`[data-player-of="${melodyId}"]`);

const focusedOf = (element: Element): Focused => ({
  tagName: element.tagName,
  role: element.getAttribute('role'),
  ...(element instanceof HTMLElement && { isContentEditable: element.isContentEditable }),
  ...(element instanceof HTMLInputElement && { type: element.type }),
});
