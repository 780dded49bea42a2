import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { AudioPlayer } from '#web/audio-ui/playback/audio-player.tsx';
import { getLoadedRows, usePagedList } from '#web/navigation/paged-list.ts';
import { usePageSettings } from '#web/api/page-data.ts';
import { refreshQueries } from '#web/api/query-client.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import type { Feedback } from '#features/feedback/contract.ts';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { LineComparison, type ComparedRecording } from './line-comparison.tsx';
import { createLinesWithMelodyQuery } from '#features/line-matching/web/lines-query.ts';
import { LinesSkeleton, LINES_NOT_LOADED_MESSAGE } from './lines-skeleton.tsx';

export type RecordingLinesContentProps = {
  recording: ComparedRecording & { melodyId: number };
  /** Feedback whose marks are shown. Default: the recording's feedback in its thread. */
  feedback?: Pick<Feedback, 'marks' | 'voices'> | undefined;
};

/**
 * Shows a recording line by line, or both recordings in full if its lines could not be found. Shows a message
 * while the lines are being found, or if the melody can no longer be compared.
 */
export default function RecordingLinesContent({ recording, feedback }: RecordingLinesContentProps) {
  const { id, melodyId } = recording;
  const found = useQuery(createLinesWithMelodyQuery(id, melodyId));
  const thread = usePagedList('GET /api/recordings/{id}/thread', { params: { id } });
  const melody = found.data?.melody;
  const isGone = found.data && (!melody?.audioUrl || found.data.state === 'none');
  // If this melody can no longer be compared line by line, refetches the list of melodies that can.
  useEffect(() => {
    if (isGone) refreshQueries(['/api/melodies/timed']);
  }, [isGone]);

  if (found.isPending || thread.isPending) return <LinesSkeleton />;
  if (!found.data) return <LoadFailure sentence={LINES_NOT_LOADED_MESSAGE} of={found} />;
  if (!melody || isGone)
    return <StatusMessage>This melody can no longer be compared line by line.</StatusMessage>;
  if (found.data.state === 'working')
    return (
      <StatusMessage>
        We’re still finding the lines in this recording. They’ll appear here soon.
      </StatusMessage>
    );
  if (found.data.state === 'unsure') return <FullRecordings {...{ recording, melody }} />;

  const entries = getLoadedRows(thread.data);
  const given = feedback ?? entries.find((entry) => entry.recording.id === id)?.feedback;
  return (
    <LineComparison
      {...{ recording, melody }}
      found={found.data.lines}
      attempts={entries.map((entry) => entry.recording)}
      failure={thread.isError ? { isTrying: thread.isFetching, tryAgain: () => void thread.refetch() } : null}
      marks={given?.marks ?? []}
      voices={given?.voices ?? []}
    />
  );
}

const StatusMessage = ({ children }: { children: string }) => (
  <p role="status" className="measure text-soft">
    {children}
  </p>
);

type FullRecordingsProps = { recording: ComparedRecording; melody: MelodyDetail };

const FullRecordings = ({ recording, melody }: FullRecordingsProps) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
    <p className="measure text-soft">We couldn’t match the lines, so here are both recordings in full.</p>
    {[
      { name: usePageSettings().teacherTitle, ...melody },
      { name: 'Mine', ...recording },
    ].map(({ name, audioUrl, audioCopies, duration, peaks, id, title }) => (
      <div key={name} className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        <p className="text-sm font-semibold">{name}</p>
        <AudioPlayer
          sound={{ name: audioUrl ?? '', copies: audioCopies }}
          title={`${name}: ${title}`}
          {...{ duration, peaks }}
          id={`${name} ${id}`}
        />
      </div>
    ))}
  </div>
);
