import { clsx } from 'clsx';
import { type ComponentType, useId, useLayoutEffect, useRef, useState } from 'react';
import { PageLoading } from '#web/layout/loading.tsx';
import { LoadFailure, type Refetchable } from '#web/ui/load-failure.tsx';
import type { MelodySummary } from '#features/melodies/contract.ts';
import type { PlayerStart } from './player-address.ts';
import { ClosePlayer, PlayerHead, playerScreen } from './player-head.tsx';

type PlayerAwaitedProps = {
  melody: MelodySummary | undefined;
  start: PlayerStart;
  onClose: () => void;
  /** Loading state of the player's code. */
  loading: Refetchable & { isError: boolean };
};

/**
 * Stands in for the player until its code is loaded; if that fails, shows a retry button. Uses the browser's own
 * dialog, because the player's dialog comes with its code. In a server-rendered page it already has the words.
 */
export function PlayerAwaited({ melody, start, onClose, loading }: PlayerAwaitedProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    // In a server-rendered page the dialog is already open, but not modal.
    shown?.close();
    shown?.showModal();
    // Restores the previous focus, so that the player can restore it again later.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      open={import.meta.env.SSR}
      suppressHydrationWarning
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className={clsx('fixed inset-0 z-40 m-0 h-dvh max-h-none w-full max-w-none open:flex', playerScreen)}
    >
      <PlayerHead
        as="h2"
        id={titleId}
        title={melody?.title ?? 'Advanced Player'}
        level={melody?.transmissionLevel}
        close={<ClosePlayer onClick={onClose} />}
      />
      {loading.isError ? (
        <div className="measure p-5 sm:p-8">
          <LoadFailure
            tone="amber"
            sentence="The player could not be loaded."
            of={loading}
            note="You can still use the library."
          />
        </div>
      ) : (
        <FirstWords {...{ melody, start }} />
      )}
    </dialog>
  );
}

/** Renders the words on the server only. The browser keeps the server's HTML until the player has loaded. */
function FirstWords({ melody, start }: Pick<PlayerAwaitedProps, 'melody' | 'start'>) {
  const [rendered] = useState(() => import.meta.env.SSR || document.getElementById(FIRST_WORDS)?.innerHTML);
  if (rendered === true && Words && melody) {
    return (
      <div id={FIRST_WORDS} className="contents">
        <Words {...{ melody, start }} />
      </div>
    );
  }
  // If the melody does not exist, the server renders the same as the browser.
  if (!rendered || rendered === true) return <PageLoading />;
  return <div id={FIRST_WORDS} className="contents" dangerouslySetInnerHTML={{ __html: rendered }} />;
}

const FIRST_WORDS = 'first-words';

let Words: ComponentType<{ melody: MelodySummary; start: PlayerStart }> | null = null;

/**
 * Registers the component with which the server renders the words, so that the library's bundle does not include it.
 */
export const renderWordsBy = (component: NonNullable<typeof Words>) => (Words = component);
