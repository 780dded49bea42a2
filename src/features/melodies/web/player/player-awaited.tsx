import { clsx } from 'clsx';
import { useId, useLayoutEffect, useRef } from 'react';
import { PageLoading } from '../../../../platform/web/layout/loading.tsx';
import { Button } from '../../../../platform/web/ui/button.tsx';
import { Notice } from '../../../../platform/web/ui/notice.tsx';
import type { MelodySummary } from '../../contract.ts';
import { ClosePlayer, PlayerHead, playerScreen } from './player-head.tsx';

type PlayerAwaitedProps = {
  melody: MelodySummary | undefined;
  onClose: () => void;
  hasFailed: boolean;
  isTrying: boolean;
  tryAgain: () => void;
};

/**
 * Shown in place of the player until its code is loaded; if that fails, with a button to retry. The browser's own
 * dialog: the one that the player is in comes with its code.
 */
export function PlayerAwaited({ melody, onClose, hasFailed, isTrying, tryAgain }: PlayerAwaitedProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Focus returns to where it was, and the player that follows finds it there.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className={clsx('m-0 h-dvh max-h-none w-full max-w-none open:flex', playerScreen)}
    >
      <PlayerHead
        as="h2"
        id={titleId}
        title={melody?.title ?? 'Advanced Player'}
        level={melody?.transmissionLevel}
        close={<ClosePlayer onClick={onClose} />}
      />
      {hasFailed ? (
        <div className="measure p-5 sm:p-8">
          <Notice tone="amber" title="The player could not be loaded.">
            <p>The connection may be poor just now. The library stays as it is.</p>
            <Button className="mt-3 mb-1" busy={isTrying} onClick={tryAgain}>
              Try again
            </Button>
          </Notice>
        </div>
      ) : (
        <PageLoading />
      )}
    </dialog>
  );
}
