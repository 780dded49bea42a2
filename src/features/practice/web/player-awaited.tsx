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
  /** The player's code. */
  loading: Refetchable & { isError: boolean };
};

/**
 * Shown in place of the player until its code is loaded; if that fails, with a button to retry. The browser's own
 * dialog: the one that the player is in comes with its code. In a rendered page it has the words already.
 */
export function PlayerAwaited({ melody, start, onClose, loading }: PlayerAwaitedProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const shown = dialog.current;
    // In a rendered page it is open, but the page behind it is not yet out of reach.
    shown?.close();
    shown?.showModal();
    // Focus returns to where it was, and the player that follows finds it there.
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
            note="The library stays as it is."
          />
        </div>
      ) : (
        <FirstWords {...{ melody, start }} />
      )}
    </dialog>
  );
}

/** Rendered on the server alone: in the browser, what is there of them stands until the player has come. */
function FirstWords({ melody, start }: Pick<PlayerAwaitedProps, 'melody' | 'start'>) {
  const [rendered] = useState(() => import.meta.env.SSR || document.getElementById(FIRST_WORDS)?.innerHTML);
  if (rendered === true && Words && melody) {
    return (
      <div id={FIRST_WORDS} className="contents">
        <Words {...{ melody, start }} />
      </div>
    );
  }
  // Of a melody that is not there the server renders what the browser does.
  if (!rendered || rendered === true) return <PageLoading />;
  return <div id={FIRST_WORDS} className="contents" dangerouslySetInnerHTML={{ __html: rendered }} />;
}

const FIRST_WORDS = 'first-words';

let Words: ComponentType<{ melody: MelodySummary; start: PlayerStart }> | null = null;

/** What the server renders: the library does without the code of the words. */
export const renderWordsBy = (component: NonNullable<typeof Words>) => (Words = component);
