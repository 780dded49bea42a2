import { PageLoading } from '../../../../platform/web/layout/loading.tsx';
import { Button } from '../../../../platform/web/ui/button.tsx';
import { Notice } from '../../../../platform/web/ui/notice.tsx';
import type { Melody } from '../../contract.ts';
import { MelodyHeading, PlayerFrame } from './player-frame.tsx';

type PlayerAwaitedProps = {
  melodyId: number;
  melody: Melody | undefined;
  onClose: () => void;
  hasFailed: boolean;
  isTrying: boolean;
  tryAgain: () => void;
};

/** Shown in place of the player until its code is loaded; if that fails, with a button to retry. */
export function PlayerAwaited(props: PlayerAwaitedProps) {
  const { melodyId, melody, onClose, hasFailed, isTrying, tryAgain } = props;
  return (
    <PlayerFrame
      {...{ melodyId, onClose }}
      heading={
        <MelodyHeading
          title={melody?.title ?? 'Advanced Player'}
          {...(melody && { level: melody.transmissionLevel })}
        />
      }
    >
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
    </PlayerFrame>
  );
}
