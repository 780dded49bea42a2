import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { lazyPart } from '#web/navigation/lazy-page.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import type { HeardLinesProps } from './heard-lines.tsx';
import { LinesSkeleton, NOT_LOADED } from './lines-skeleton.tsx';
import { useTimedMelodies } from './use-timed-melodies.ts';

type LinesOfRecordingProps = Pick<HeardLinesProps, 'feedback'> & {
  recording: Omit<HeardLinesProps['recording'], 'melodyId'> & { melodyId: number | null };
};

const HeardLines = lazyPart(() => import('./heard-lines.tsx'));

/**
 * A student's recording and its melody, line by line. Renders nothing if the melody has no lines that the student may
 * hear.
 */
export function LinesOfRecording({ recording, feedback }: LinesOfRecordingProps) {
  const { data: timed = [] } = useTimedMelodies();
  const { melodyId } = recording;
  if (melodyId === null || !timed.includes(melodyId)) return null;
  return (
    <Disclosure label={<>Compare line by line</>}>
      {() => (
        <LazyBoundary
          part={HeardLines}
          fallback={<LinesSkeleton />}
          failure={NOT_LOADED}
          recording={{ ...recording, melodyId }}
          feedback={feedback}
        />
      )}
    </Disclosure>
  );
}
