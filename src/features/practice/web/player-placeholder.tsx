import { clsx } from 'clsx';
import { type ComponentType, useId, useLayoutEffect, useRef, useState } from 'react';
import { PageLoading } from '#web/layout/loading.tsx';
import { useRootClass } from '#web/ui/use-root-class.ts';
import { PLAYER_OPEN_CLASS } from '#features/melodies/played-melody.ts';
import { LoadFailure, type RefetchableResource } from '#web/ui/load-failure.tsx';
import type { MelodySummary } from '#features/melodies/contract.ts';
import type { PlayerStart } from './player-url.ts';
import { ClosePlayerButton, PlayerHeader, playerScreenClass } from './player-header.tsx';

type PlayerPlaceholderProps = {
  melody: MelodySummary | undefined;
  start: PlayerStart;
  onClose: () => void;
  /** Loading state of the player's code. */
  loading: RefetchableResource & { isError: boolean };
};

/**
 * Placeholder for the player until its code is loaded. If loading fails, it shows a retry button. Uses the
 * browser's own dialog, because the player's dialog is part of that code. In a server-rendered page, the
 * placeholder already contains the words.
 */
export function PlayerPlaceholder({ melody, start, onClose, loading }: PlayerPlaceholderProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useRootClass(PLAYER_OPEN_CLASS);
  useLayoutEffect(() => {
    const shown = dialog.current;
    // Closes the dialog before it is opened as modal. In a server-rendered page, it is already open, but not
    // modal.
    shown?.close();
    shown?.showModal();
    // Closing this dialog restores the earlier focus, so that the player's dialog can restore the same focus
    // when it closes.
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
      className={clsx(
        'fixed inset-0 z-40 m-0 h-dvh max-h-none w-full max-w-none open:flex',
        playerScreenClass,
      )}
    >
      <PlayerHeader
        as="h2"
        id={titleId}
        title={melody?.title ?? 'Advanced Player'}
        level={melody?.transmissionLevel}
        close={<ClosePlayerButton onClick={onClose} />}
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
function FirstWords({ melody, start }: Pick<PlayerPlaceholderProps, 'melody' | 'start'>) {
  const [rendered] = useState(
    () => import.meta.env.SSR || document.getElementById(FIRST_WORDS_ID)?.innerHTML,
  );
  if (rendered === true && WordsRenderer && melody) {
    return (
      <div id={FIRST_WORDS_ID} className="contents">
        <WordsRenderer {...{ melody, start }} />
      </div>
    );
  }
  // Shows the loading state if there are no server-rendered words. The server itself shows it if the melody
  // does not exist.
  if (!rendered || rendered === true) return <PageLoading />;
  return <div id={FIRST_WORDS_ID} className="contents" dangerouslySetInnerHTML={{ __html: rendered }} />;
}

const FIRST_WORDS_ID = 'first-words';

let WordsRenderer: ComponentType<{ melody: MelodySummary; start: PlayerStart }> | null = null;

/**
 * Registers the component with which the server renders the words, so that the library's bundle does not
 * include it.
 */
export const registerWordsRenderer = (component: NonNullable<typeof WordsRenderer>) =>
  (WordsRenderer = component);
