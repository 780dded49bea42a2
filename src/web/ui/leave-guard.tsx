import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { guardHistory, removeLeftoverGuardEntry } from './history-guard.ts';
import { useWarningBeforeLeaving } from '../navigation/warning-before-leaving.ts';
import { ConfirmDialog } from './alert-dialog.tsx';

type LeaveGuardProps = {
  isActive: boolean;
  /** The question to ask, for example 'Leave without sending your recording?' */
  sentence: string;
  /** Explains what happens to the unsent content. */
  note: string;
};

/**
 * Asks for confirmation before the user leaves something unsent. Uses a dialog for links within the app and for
 * going back, and otherwise the browser's own prompt.
 */
export function LeaveGuard({ isActive, sentence, note }: LeaveGuardProps) {
  const [leave, setLeave] = useState<{ now: () => void } | null>(null);
  const [, navigate] = useLocation();
  useWarningBeforeLeaving(isActive);

  useEffect(() => {
    // Removes the history entry that is left over if the page was reloaded while guarded.
    if (!isActive) return removeLeftoverGuardEntry();
    const guard = guardHistory((go) => setLeave({ now: go }));
    const onClick = (event: MouseEvent) => {
      const href = getLeavingPath(event);
      if (href === null) return;
      // Prevents only the navigation. The click's other effects still happen, such as closing the drawer that
      // contains the link.
      event.preventDefault();
      setLeave({ now: () => navigate(href, { replace: guard.replaces }) });
    };
    // Listens in the capture phase, to run before the link's own handler.
    document.addEventListener('click', onClick, { capture: true });
    return () => {
      document.removeEventListener('click', onClick, { capture: true });
      guard.end();
    };
  }, [isActive, navigate]);

  return (
    <ConfirmDialog
      isOpen={leave !== null}
      onOpenChange={(isOpen) => !isOpen && setLeave(null)}
      sentence={sentence}
      note={note}
      cancelLabel="Stay here"
      confirmLabel="Leave"
      isDangerous
      onConfirm={() => {
        setLeave(null);
        leave?.now();
      }}
    />
  );
}

/**
 * Returns the path and query of the link that was clicked, if a plain click on it leads to another page of
 * the app; otherwise null.
 */
function getLeavingPath(event: MouseEvent): string | null {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!isPlain || !link || link.target === '_blank' || link.hasAttribute('download')) return null;
  const url = new URL(link.href, location.href);
  const isElsewhere = url.origin === location.origin && url.pathname !== location.pathname;
  return isElsewhere ? url.pathname + url.search : null;
}
