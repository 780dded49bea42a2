import { clsx } from 'clsx';
import { type ComponentType, useId, useLayoutEffect, useRef, useState } from 'react';
import { sentenceOf } from '#web/api/call.ts';
import { PageLoading } from '#web/layout/loading.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { MelodySummary } from '#features/melodies/contract.ts';
import type { PlayerStart } from './player-address.ts';
import { ClosePlayer, PlayerHead, playerScreen } from './player-head.tsx';

type PlayerAwaitedProps = {
  melody: MelodySummary | undefined;
  start: PlayerStart;
  onClose: () => void;
  hasFailed: boolean;
  error: unknown;
  isTrying: boolean;
  tryAgain: () => void;
};

/**
 * Shown in place of the player until its code is loaded; if that fails, with a button to retry. The browser's own
 * dialog: the one that the player is in comes with its code. In a rendered page it has the words already.
 */
export function PlayerAwaited(props: PlayerAwaitedProps) {
  const { melody, start, onClose, hasFailed, error, isTrying, tryAgain } = props;
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
      {hasFailed ? (
        <div className="measure p-5 sm:p-8">
          <Notice tone="amber" title="The player could not be loaded.">
            <p>{sentenceOf(error, 'The connection may be poor just now.')} The library stays as it is.</p>
            <Button className="mt-3 mb-1" busy={isTrying} onClick={tryAgain}>
              Try again
            </Button>
          </Notice>
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
