import { useEffect, useRef } from 'react';
import { AUDIO_NOT_AVAILABLE_MESSAGE } from '#web/audio-ui/playback/use-playback.ts';
import type { PracticePlayer } from './engine/practice-player.ts';
import { Button } from '#web/ui/button.tsx';
import type { RefetchableResource } from '#web/ui/load-failure.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { AUDIO_DAMAGED_MESSAGE } from './player-messages.ts';
import { usePlayerSnapshot } from './use-practice-player.ts';

type PlayerFailureProps = {
  player: PracticePlayer;
  /** The query for the melody's details, if it failed. */
  missing: RefetchableResource | null;
};

/** Shows why the melody can't play or that its details are missing, and what the user can do. */
export function PlayerFailure({ player, missing }: PlayerFailureProps) {
  const { phase } = usePlayerSnapshot(player);
  if (phase === 'unavailable') return <Unplayable why={AUDIO_NOT_AVAILABLE_MESSAGE} />;
  if (phase === 'damaged') return <Unplayable why={AUDIO_DAMAGED_MESSAGE} />;
  if (phase === 'lost')
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md bg-saffron-ground px-4 py-2 text-sm text-saffron-ink">
        <p role="alert">
          <span className="font-semibold">The connection was lost.</span> The melody continues from here when
          you’re back online.
        </p>
        <Button onClick={() => player.retry()}>Try again</Button>
      </div>
    );
  return missing && <DetailsFailure {...missing} />;
}

/**
 * Message that the melody can't be played. Takes focus if the pressed button has lost focus because it was
 * disabled.
 */
function Unplayable({ why }: { why: string }) {
  const message = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (!document.activeElement || document.activeElement.matches('body, :disabled'))
      message.current?.focus();
  }, []);
  return (
    <p
      ref={message}
      role="alert"
      tabIndex={-1}
      className="rounded-md bg-danger-ground px-4 py-2.5 text-sm font-semibold text-danger"
    >
      {why}
    </p>
  );
}

/** Slim notice, on one row if the text fits, to leave room for the words and the waveform. */
const DetailsFailure = ({ isFetching, refetch }: RefetchableResource) => (
  <p
    role="status"
    className="rounded-md bg-saffron-ground px-4 py-2 text-sm leading-tight text-saffron-ink sm:text-center"
  >
    Couldn’t load the waveform and the line times.{' '}
    <button
      type="button"
      aria-disabled={isFetching || undefined}
      aria-busy={isFetching || undefined}
      onClick={isFetching ? undefined : () => void refetch()}
      className="link -my-3 inline-flex min-h-11 items-center gap-1.5 whitespace-nowrap text-saffron-ink"
    >
      {isFetching && <Spinner />}
      Try again
    </button>
  </p>
);
