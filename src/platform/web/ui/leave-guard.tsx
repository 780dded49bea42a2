import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { guardHistory, leaveNoEntry } from './history-guard.ts';
import { useWarningBeforeLeaving } from '../warning-before-leaving.ts';
import { ConfirmDialog } from './alert-dialog.tsx';

type LeaveGuardProps = {
  isActive: boolean;
  /** 'Leave without sending your recording?' */
  sentence: string;
  /** What becomes of it. */
  note: string;
};

/**
 * Asks before what was not sent is left behind: by a link within the app or by the way back here, else by the
 * browser.
 */
export function LeaveGuard({ isActive, sentence, note }: LeaveGuardProps) {
  const [leave, setLeave] = useState<{ now: () => void } | null>(null);
  const [, navigate] = useLocation();
  useWarningBeforeLeaving(isActive);

  useEffect(() => {
    // A page that was loaded anew while it was guarded.
    if (!isActive) return leaveNoEntry();
    const guard = guardHistory((go) => setLeave({ now: go }));
    const onClick = (event: MouseEvent) => {
      const href = leavingTo(event);
      if (href === null) return;
      // The link leads nowhere now, but does what else it does: the drawer that it lies in closes.
      event.preventDefault();
      setLeave({ now: () => navigate(href, { replace: guard.replaces }) });
    };
    // Before the link itself hears of it.
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

/** The page that a plain press of a link leads to; null for any other press. */
function leavingTo(event: MouseEvent): string | null {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!isPlain || !link || link.target === '_blank' || link.hasAttribute('download')) return null;
  const url = new URL(link.href, location.href);
  const isElsewhere = url.origin === location.origin && url.pathname !== location.pathname;
  return isElsewhere ? url.pathname + url.search : null;
}
