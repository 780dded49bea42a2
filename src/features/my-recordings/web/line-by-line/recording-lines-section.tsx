import { LazyBoundary } from '#web/navigation/lazy-boundary.tsx';
import { createLazyComponent } from '#web/navigation/lazy-component.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import type { RecordingLinesContentProps } from './recording-lines-content.tsx';
import { LinesSkeleton, LINES_NOT_LOADED_MESSAGE } from './lines-skeleton.tsx';
import { useTimedMelodyIds } from './use-timed-melody-ids.ts';

type RecordingLinesSectionProps = Pick<RecordingLinesContentProps, 'feedback'> & {
  recording: Omit<RecordingLinesContentProps['recording'], 'melodyId'> & { melodyId: number | null };
};

const RecordingLinesContent = createLazyComponent(() => import('./recording-lines-content.tsx'));

/**
 * A student's recording and its melody, line by line. Collapsed at first. Renders nothing if the melody has
 * no timed lines, or if the student may not hear it.
 */
export function RecordingLinesSection({ recording, feedback }: RecordingLinesSectionProps) {
  const { data: timed = [] } = useTimedMelodyIds();
  const { melodyId } = recording;
  if (melodyId === null || !timed.includes(melodyId)) return null;
  return (
    <Disclosure label={<>Compare line by line</>}>
      {() => (
        <LazyBoundary
          part={RecordingLinesContent}
          fallback={<LinesSkeleton />}
          failure={LINES_NOT_LOADED_MESSAGE}
          recording={{ ...recording, melodyId }}
          feedback={feedback}
        />
      )}
    </Disclosure>
  );
}
