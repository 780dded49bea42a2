import { createLazyComponent, useLazyComponent } from '#web/navigation/lazy-component.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { TimingEditorProps } from './timing-editor.tsx';
import { TimingHeader } from './timing-header.tsx';

const TimingEditor = createLazyComponent(() => import('./timing-editor.tsx'));

export const preloadTimingEditor = () => void TimingEditor.preload();

/** Loads the timing editor when it is first needed. If that fails, the melody keeps playing. */
export function LazyTimingEditor(props: TimingEditorProps) {
  const { Part, ...loading } = useLazyComponent(TimingEditor);
  if (Part) return <Part {...props} />;
  return (
    <>
      <TimingHeader onBack={props.onDone} />
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
