import { clsx } from 'clsx';
import type { PracticeClock } from '../../../../platform/web/player/practice-clock.ts';
import { useUser } from '../../../../platform/web/session.ts';
import { Lotus } from '../../../../platform/web/ui/lotus.tsx';
import type { Melody, MelodyDetail } from '../../contract.ts';
import { SungPanel } from '../sung-text/sung-panel.tsx';

type MelodyTextProps = {
  melody: Melody | MelodyDetail;
  /** Tells which line is being sung; null where nothing can play. */
  clock: PracticeClock | null;
  className?: string | undefined;
};

/** The words in large type, in a scrolling area of their own. */
export function MelodyText({ melody, clock, className }: MelodyTextProps) {
  const isAdmin = useUser().role === 'admin';
  const hasPanel = Boolean(melody.melodyText?.trim()) || (isAdmin && clock !== null);
  return (
    <section
      tabIndex={0}
      aria-label={`Words of ${melody.title}`}
      className={clsx('min-w-0 grow basis-0 overflow-y-auto px-4 py-5 sm:px-8', className)}
    >
      {hasPanel ? (
        <div className="mx-auto max-w-3xl lg:py-4">
          <SungPanel melody={melody} clock={clock} />
        </div>
      ) : (
        <div className="grid min-h-full place-content-center justify-items-center gap-4 text-center text-soft">
          <Lotus className="w-20 text-saffron" strokeWidth={1.5} />
          <p>The words of this melody have not been added yet.</p>
        </div>
      )}
    </section>
  );
}
