import { AUDIO_NOT_AVAILABLE } from '../../../../platform/web/audio-ui/use-playback.ts';
import type { PracticePlayer } from '../../../../platform/web/player/practice-player.ts';
import { Button } from '../../../../platform/web/ui/button.tsx';
import { SLOW } from './player-words.ts';
import { usePlayerSnapshot } from './use-practice-player.ts';

/** Says why nothing sounds, and what can be done. */
export function PlayerFailure({ player }: { player: PracticePlayer }) {
  const { phase, isSlow } = usePlayerSnapshot(player);
  if (phase === 'unavailable')
    return (
      <p role="alert" className="rounded-md bg-danger-ground px-4 py-2.5 text-sm font-semibold text-danger">
        {AUDIO_NOT_AVAILABLE}
      </p>
    );
  if (phase === 'lost')
    return (
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md bg-saffron-ground px-4 py-2 text-sm text-saffron-ink">
        <p role="alert">
          <span className="font-semibold">The line was lost.</span> It goes on from here when the line is
          back.
        </p>
        <Button onClick={() => player.retry()}>Try again</Button>
      </div>
    );
  if (isSlow) return <p className="text-sm text-soft">{SLOW}</p>;
  return null;
}
