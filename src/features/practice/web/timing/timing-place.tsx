import { lazyPart, usePart } from '#web/navigation/lazy-page.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { TimingEditorProps } from './timing-editor.tsx';
import { TimingHead } from './timing-head.tsx';

const TimingEditor = lazyPart(() => import('./timing-editor.tsx'));

export const preloadTiming = () => void TimingEditor.preload();

/** Loads the timing editor when it is first needed. If that fails, the melody keeps playing. */
export function TimingPlace(props: TimingEditorProps) {
  const { Part, ...loading } = usePart(TimingEditor);
  if (Part) return <Part {...props} />;
  return (
    <>
      <TimingHead onBack={props.onDone} />
      <div className="grow p-5">
        {loading.isError ? (
          <LoadFailure
            tone="amber"
            sentence="The timing editor could not be loaded."
            of={loading}
            className="measure mx-auto"
          />
        ) : (
          <Skeleton className="measure mx-auto h-64 w-full" />
        )}
      </div>
    </>
  );
}
