import { sentenceOf } from '#web/api/call.ts';
import { lazyPart, usePart } from '#web/navigation/lazy-page.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { TimingEditorProps } from './timing-editor.tsx';
import { TimingHead } from './timing-head.tsx';

const TimingEditor = lazyPart(() => import('./timing-editor.tsx'));

export const preloadTiming = () => void TimingEditor.preload();

/** What times the lines is loaded when first needed; if that fails, the melody still plays on. */
export function TimingPlace(props: TimingEditorProps) {
  const { Part, hasFailed, error, isTrying, tryAgain } = usePart(TimingEditor);
  if (Part) return <Part {...props} />;
  return (
    <>
      <TimingHead onBack={props.onDone} />
      <div className="grow p-5">
        {hasFailed ? (
          <Notice tone="amber" title="What times the lines could not be loaded." className="measure mx-auto">
            <p>{sentenceOf(error, 'The connection may be poor just now.')}</p>
            <Button className="mt-3 mb-1" busy={isTrying} onClick={tryAgain}>
              Try again
            </Button>
          </Notice>
        ) : (
          <Skeleton className="measure mx-auto h-64 w-full" />
        )}
      </div>
    </>
  );
}
