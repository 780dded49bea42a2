import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useWarningBeforeLeaving } from '../warning-before-leaving.ts';
import { ConfirmDialog } from './alert-dialog.tsx';

type LeaveGuardProps = {
  isActive: boolean;
  /** 'Leave without sending your recording?' */
  sentence: string;
  /** What would be gone. */
  note: string;
};

/** Asks before what was not sent is left behind: on links within the app here, else by the browser. */
export function LeaveGuard({ isActive, sentence, note }: LeaveGuardProps) {
  const [target, setTarget] = useState<string | null>(null);
  const [, navigate] = useLocation();
  useWarningBeforeLeaving(isActive);

  useEffect(() => {
    if (!isActive) return;
    const onClick = (event: MouseEvent) => {
      const href = leavingTo(event);
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(href);
    };
    // Before the link itself hears of it.
    document.addEventListener('click', onClick, { capture: true });
    return () => document.removeEventListener('click', onClick, { capture: true });
  }, [isActive]);

  return (
    <ConfirmDialog
      isOpen={target !== null}
      onOpenChange={(isOpen) => !isOpen && setTarget(null)}
      sentence={sentence}
      note={note}
      cancelLabel="Stay here"
      confirmLabel="Leave"
      isDangerous
      onConfirm={() => {
        setTarget(null);
        if (target) navigate(target);
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
