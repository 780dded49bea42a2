import * as RadixToast from '@radix-ui/react-toast';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { dismissToast, dismissToastsOfPage, useToasts } from './toasts.ts';

const SHOWN_FOR_MS = 5_000;
const SWIPE_THRESHOLD_PX = 50;

/** The area that shows toasts. F8, Radix's default hotkey, focuses it. */
export default function ToastViewport() {
  const toasts = useToasts();
  const [path] = useLocation();
  const lastPath = useRef(path);
  // Uses a layout effect, so that it runs before the effects of the next page, which may show a toast of its
  // own.
  useLayoutEffect(() => {
    if (path !== lastPath.current) dismissToastsOfPage();
    lastPath.current = path;
  }, [path]);
  return (
    <RadixToast.Provider duration={SHOWN_FOR_MS} swipeDirection="right" swipeThreshold={SWIPE_THRESHOLD_PX}>
      {toasts.map(({ id, title, description, variant = 'default', isOpen }) => (
        <RadixToast.Root
          key={id}
          open={isOpen}
          onOpenChange={(open) => !open && dismissToast(id)}
          type={variant === 'destructive' ? 'foreground' : 'background'}
          className={clsx(
            'flex items-start gap-2 rounded-md border border-s-4 bg-surface py-3 ps-4 pe-1 text-ink shadow-soft',
            'data-[swipe=cancel]:translate-x-0 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
            variant === 'destructive' ? 'border-danger' : 'border-line border-s-saffron',
          )}
        >
          <div className="min-w-0 grow py-1.5">
            <RadixToast.Title
              className={clsx('text-sm font-semibold', variant === 'destructive' && 'text-danger')}
            >
              {title}
            </RadixToast.Title>
            {description && (
              <RadixToast.Description className="mt-0.5 text-sm">{description}</RadixToast.Description>
            )}
          </div>
          <RadixToast.Close
            aria-label="Close"
            className="grid size-11 shrink-0 place-items-center rounded-sm hover:bg-sunk"
          >
            <X className="size-5" />
          </RadixToast.Close>
        </RadixToast.Root>
      ))}
      <RadixToast.Viewport
        label="Notifications ({hotkey})"
        className="fixed inset-x-0 top-[calc(4rem*var(--text-scale))] z-50 mx-auto flex w-full max-w-[420px] flex-col gap-2 p-3 sm:inset-x-auto sm:end-0 sm:top-auto sm:bottom-0"
      />
    </RadixToast.Provider>
  );
}
