import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../../../platform/web/query-client.ts';
import { LoadFailure } from '../../../../platform/web/ui/load-failure.tsx';
import { Notice } from '../../../../platform/web/ui/notice.tsx';
import { Skeleton } from '../../../../platform/web/ui/skeleton.tsx';
import type { Melody } from '../../contract.ts';
import { MelodyHeading, PlayerFrame } from './player-frame.tsx';
import { PracticeScreen } from './practice-screen.tsx';
import { SilentScreen } from './silent-screen.tsx';

type PlayerOverlayProps = {
  melodyId: number;
  /** What the library knows of it already: enough for its words to be read at once. */
  melody: Melody | undefined;
  /** Seconds at which it begins, as the address says; null: at the beginning. */
  startAt: number | null;
  onClose: () => void;
};

export default function PlayerOverlay({ melodyId, melody: listed, startAt, onClose }: PlayerOverlayProps) {
  const inFull = useQuery(apiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }));
  const melody = inFull.data ?? (inFull.isError ? undefined : listed);
  const frame = { melodyId, onClose };
  if (melody?.audioUrl) {
    return (
      <PracticeScreen
        {...frame}
        startAt={startAt}
        melody={melody}
        audioUrl={melody.audioUrl}
        inFull={inFull.data ?? null}
      />
    );
  }
  if (melody) return <SilentScreen {...frame} melody={melody} />;
  return (
    <PlayerFrame {...frame} heading={<MelodyHeading title="Advanced Player" />}>
      <div className="p-5 sm:p-6">
        {!inFull.isError ? (
          <Skeleton className="h-40 w-full max-w-xl" />
        ) : inFull.error.status === 404 ? (
          <Notice tone="amber" title="This melody is not in your library.">
            It may have been taken away, or be of a level that you have not received.
          </Notice>
        ) : (
          <LoadFailure
            sentence="The melody could not be loaded."
            error={inFull.error}
            isTrying={inFull.isFetching}
            onTryAgain={() => void inFull.refetch()}
          />
        )}
      </div>
    </PlayerFrame>
  );
}
