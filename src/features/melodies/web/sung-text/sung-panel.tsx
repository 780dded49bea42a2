import { Timer } from 'lucide-react';
import { useState } from 'react';
import { sentenceOf } from '../../../../platform/web/call.ts';
import { lazyPart, usePart } from '../../../../platform/web/lazy-page.ts';
import type { PracticeClock } from '../../../../platform/web/player/practice-clock.ts';
import { useUser } from '../../../../platform/web/session.ts';
import { Button } from '../../../../platform/web/ui/button.tsx';
import { Notice } from '../../../../platform/web/ui/notice.tsx';
import { Skeleton } from '../../../../platform/web/ui/skeleton.tsx';
import type { Melody, MelodyDetail } from '../../contract.ts';
import { PracticeText, type PracticeWords } from './practice-text.tsx';

const TimingEditor = lazyPart(() => import('./timing-editor.tsx'));

type SungPanelProps = {
  /** The library's data is enough to read the words; timings come with the details. */
  melody: Melody | MelodyDetail;
  words: PracticeWords;
  /** Null for a melody without sound, or whose sound is not available. */
  clock: PracticeClock | null;
};

/** A melody's words in its player: to sing from and, for admins, to time. */
export function SungPanel({ melody, words, clock }: SungPanelProps) {
  const isAdmin = useUser().role === 'admin';
  const [isTiming, setIsTiming] = useState(false);
  const inFull = 'timings' in melody ? melody : null;
  const hasText = Boolean(melody.melodyText?.trim());
  if (isTiming && clock && inFull)
    return (
      <div className="mx-auto w-full max-w-3xl">
        <Timing melody={inFull} clock={clock} onDone={() => setIsTiming(false)} />
      </div>
    );
  return (
    <section aria-label="Words">
      {hasText ? (
        <PracticeText words={words} clock={inFull && clock} />
      ) : (
        <p className="text-center text-soft">This melody has no words yet.</p>
      )}
      {isAdmin && clock && inFull && (
        <Button
          icon={<Timer aria-hidden="true" />}
          className="mx-auto mt-8 flex"
          onPointerEnter={() => void TimingEditor.preload()}
          onClick={() => {
            // Timing covers the whole melody.
            clock.clearLoop();
            setIsTiming(true);
          }}
        >
          Time the lines
        </Button>
      )}
    </section>
  );
}

type TimingProps = { melody: MelodyDetail; clock: PracticeClock; onDone: () => void };

/** Its code is loaded when first needed; if that fails, the melody still plays on. */
function Timing(props: TimingProps) {
  const { Part, hasFailed, error, isTrying, tryAgain } = usePart(TimingEditor);
  if (Part) return <Part {...props} />;
  if (!hasFailed) return <Skeleton className="h-64 w-full" />;
  return (
    <Notice tone="amber" title="What times the lines could not be loaded." className="measure">
      <p>{sentenceOf(error, 'The connection may be poor just now.')}</p>
      <div className="mt-3 mb-1 flex flex-wrap gap-2">
        <Button busy={isTrying} onClick={tryAgain}>
          Try again
        </Button>
        <Button variant="quiet" onClick={props.onDone}>
          Back to the words
        </Button>
      </div>
    </Notice>
  );
}
