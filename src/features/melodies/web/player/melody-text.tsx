import { clsx } from 'clsx';
import type { CallError } from '../../../../platform/web/call.ts';
import type { PracticeClock } from '../../../../platform/web/player/practice-clock.ts';
import { useUser } from '../../../../platform/web/session.ts';
import { Lotus } from '../../../../platform/web/ui/lotus.tsx';
import { LoadFailure } from '../../../../platform/web/ui/load-failure.tsx';
import { Skeleton } from '../../../../platform/web/ui/skeleton.tsx';
import type { Melody, MelodyDetail, MelodySummary } from '../../contract.ts';
import { SungPanel } from '../sung-text/sung-panel.tsx';

/** Whether the words are known, if there are any. */
export const hasWords = (melody: MelodySummary): melody is Melody => 'melodyText' in melody;

/** Why the rest of a melody is missing, null while it is tried again. */
export type Missing = { error: CallError | null; isTrying: boolean; tryAgain: () => void };

type MelodyTextProps = {
  /** Has its words in the library's texts, or once it is loaded. */
  melody: MelodySummary | Melody | MelodyDetail;
  /** Set when it could not be loaded. */
  missing: Missing | null;
  /** Tells which line is being sung; null where nothing can play. */
  clock: PracticeClock | null;
  className?: string | undefined;
};

/** The words in large type, in a scrolling area of their own. */
export function MelodyText({ melody, missing, clock, className }: MelodyTextProps) {
  return (
    <section
      tabIndex={0}
      aria-label={`Words of ${melody.title}`}
      className={clsx('min-w-0 grow basis-0 overflow-y-auto px-4 py-5 sm:px-8', className)}
    >
      {hasWords(melody) ? (
        <Words melody={melody} clock={clock} />
      ) : (
        <div className="mx-auto max-w-3xl lg:py-4">
          {missing ? (
            <LoadFailure
              sentence="The words could not be loaded."
              error={missing.error}
              isTrying={missing.isTrying}
              onTryAgain={missing.tryAgain}
            />
          ) : (
            <Skeleton className="measure h-64 w-full" />
          )}
        </div>
      )}
    </section>
  );
}

function Words({ melody, clock }: { melody: Melody | MelodyDetail; clock: PracticeClock | null }) {
  const isAdmin = useUser().role === 'admin';
  if (melody.melodyText?.trim() || (isAdmin && clock !== null))
    return (
      <div className="mx-auto max-w-3xl lg:py-4">
        <SungPanel melody={melody} clock={clock} />
      </div>
    );
  return (
    <div className="grid min-h-full place-content-center justify-items-center gap-4 text-center text-soft">
      <Lotus className="w-20 text-saffron" strokeWidth={1.5} />
      <p>The words of this melody have not been added yet.</p>
    </div>
  );
}
