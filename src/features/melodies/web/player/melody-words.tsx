import { clsx } from 'clsx';
import { Lotus } from '../../../../platform/web/ui/lotus.tsx';
import type { PracticeClock } from '../../../../platform/web/player/practice-clock.ts';
import type { Melody, MelodyInFull } from '../../contract.ts';
import { SungText } from '../sung-text.tsx';

type MelodyWordsProps = {
  melody: Melody | MelodyInFull;
  /** What lights the line being sung; null where nothing can sound. */
  clock: PracticeClock | null;
  className?: string | undefined;
};

/** The words, large, in a place of their own that scrolls. */
export function MelodyWords({ melody: { title, melodyText }, className }: MelodyWordsProps) {
  return (
    <section
      tabIndex={0}
      aria-label={`Words of ${title}`}
      className={clsx('min-w-0 grow basis-0 overflow-y-auto px-4 py-5 text-center sm:px-8', className)}
    >
      {melodyText ? (
        <SungText text={melodyText} className="mx-auto max-w-3xl text-xl wrap-anywhere sm:text-2xl lg:py-4" />
      ) : (
        <div className="grid min-h-full place-content-center justify-items-center gap-4 text-soft">
          <Lotus className="w-20 text-saffron" strokeWidth={1.5} />
          <p>The words of this melody have not been added yet.</p>
        </div>
      )}
    </section>
  );
}
