import { useQuery } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useEffect } from 'react';
import { AUDIO_NOT_AVAILABLE_MESSAGE } from '#web/audio-ui/playback/use-playback.ts';
import type { CallError } from '#web/api/call.ts';
import { createApiQuery } from '#web/api/query-client.ts';
import { dismissToastsOfPage } from '#web/ui/toasts.ts';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { useLineNotes } from '#features/teaching-notes/web/use-line-notes.ts';
import type { MelodySummary } from '#features/melodies/contract.ts';
import type { PlayerStart } from './player-url.ts';
import { PlayerDialog } from './player-dialog.tsx';
import { PracticeScreen } from './practice-screen.tsx';
import { hasLoadedWords, MelodyText } from './melody-text.tsx';
import { LoadFailure, type RefetchableResource } from '#web/ui/load-failure.tsx';
import { PlayerMenu } from './player-menu.tsx';
import { LargePlayButton } from './transport-controls.tsx';
import { useLineLoops } from '#features/lyrics/web/line-loops.ts';
import { useTimedText } from '#features/lyrics/web/use-timed-text.ts';
import { useLyricsScale } from '#features/lyrics/web/lyrics-scale.ts';
import { RecordLink } from './record-link.tsx';
import { VideoLink } from '#features/melodies/web/video-link.tsx';

type PlayerOverlayProps = {
  melodyId: number;
  /** The library's data, if loaded. Enough to start playing, and to show the words if it includes them. */
  melody: MelodySummary | undefined;
  start: PlayerStart;
  onClose: () => void;
};

export default function PlayerOverlay({ melodyId, melody: listed, start, onClose }: PlayerOverlayProps) {
  const detailsQuery = useQuery(createApiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }));
  // Dismisses toasts when the player closes. They are dismissed automatically only when the path changes, and
  // closing the player doesn't change it.
  useEffect(() => dismissToastsOfPage, []);
  const { error } = detailsQuery;
  const isGone = error !== null && isNotForUser(error);
  // Hides the melody if the user may not see it. If only the connection fails, keeps the data that is already
  // loaded.
  const melody = isGone ? undefined : (detailsQuery.data ?? listed);
  const frame = { melodyId, onClose };
  const missing = detailsQuery.isFetchedAfterMount && !detailsQuery.data ? detailsQuery : null;
  if (melody?.audioUrl) {
    return (
      <PracticeScreen
        {...frame}
        start={start}
        melody={melody}
        audioUrl={melody.audioUrl}
        details={detailsQuery.data ?? null}
        missing={missing}
      />
    );
  }
  if (melody) return <NoAudioScreen {...frame} {...{ melody, missing }} />;
  return (
    <PlayerDialog {...frame} heading={{ title: 'Advanced Player' }}>
      <div className="p-5 sm:p-6">
        {error === null ? (
          <Skeleton className="h-40 w-full max-w-xl" />
        ) : isGone ? (
          <Notice tone="amber" title="This melody isn’t available to you.">
            It may have been removed, or it may need a level that you don’t have yet.
          </Notice>
        ) : (
          <LoadFailure sentence="The melody could not be loaded." of={detailsQuery} />
        )}
      </div>
    </PlayerDialog>
  );
}

/**
 * Returns whether the melody is deleted or not available to this user. Any other error is a failure of the
 * connection or the server.
 */
const isNotForUser = ({ status }: CallError) => status === 404 || status === 403;

type NoAudioScreenProps = {
  melodyId: number;
  melody: MelodySummary;
  missing: RefetchableResource | null;
  onClose: () => void;
};

/**
 * Player for a melody without audio: shows its words, a link to its video, and the message that audio is not
 * available.
 */
function NoAudioScreen({ melodyId, melody, missing, onClose }: NoAudioScreenProps) {
  const { title, transmissionLevel, vimeoUrl } = melody;
  const [size, chooseSize] = useLyricsScale();
  const typed = hasLoadedWords(melody) ? melody.melodyText : null;
  const text = useTimedText({ melodyText: typed });
  const notes = useLineNotes(melodyId, text.lines, null);
  const words = { text, loops: useLineLoops(null, text.passages), size, notes };
  return (
    <PlayerDialog
      {...{ melodyId, onClose }}
      heading={{ title, level: transmissionLevel }}
      menu={<PlayerMenu {...{ title, typed, words }} onSize={chooseSize} clock={null} />}
    >
      <MelodyText {...{ melody, words, missing }} clock={null} />
      <footer className="shrink-0 border-t border-line bg-surface px-4 py-3">
        <div className="mx-auto flex max-w-3xl flex-wrap items-center justify-center gap-x-4 gap-y-2">
          <LargePlayButton aria-label="Play" disabled>
            <Play className="translate-x-0.5 fill-current" />
          </LargePlayButton>
          <p className="min-w-0 grow basis-56 text-sm font-semibold text-danger">
            {AUDIO_NOT_AVAILABLE_MESSAGE}
          </p>
          <VideoLink title={title} vimeoUrl={vimeoUrl} />
          <RecordLink melodyId={melodyId} />
        </div>
      </footer>
    </PlayerDialog>
  );
}
