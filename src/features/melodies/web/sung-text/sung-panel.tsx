import { Timer } from 'lucide-react';
import type { PracticeClock } from '../../../../platform/web/player/practice-clock.ts';
import { Button } from '../../../../platform/web/ui/button.tsx';
import type { Melody, MelodyDetail } from '../../contract.ts';
import { PracticeText, type PracticeWords } from './practice-text.tsx';
import { preloadTiming } from './timing-place.tsx';

type SungPanelProps = {
  /** The library's data is enough to read the words; timings come with the details. */
  melody: Melody | MelodyDetail;
  words: PracticeWords;
  /** Null for a melody without sound, or whose sound is not available. */
  clock: PracticeClock | null;
  /** For the teacher, to time the lines. */
  onTime: (() => void) | null;
};

/** A melody's words in its player. */
export function SungPanel({ melody, words, clock, onTime }: SungPanelProps) {
  const isInFull = 'timings' in melody;
  return (
    <section aria-label="Words">
      {melody.melodyText?.trim() ? (
        <PracticeText words={words} clock={isInFull ? clock : null} />
      ) : (
        <p className="text-center text-soft">This melody has no words yet.</p>
      )}
      {onTime && clock && isInFull && (
        <Button
          icon={<Timer aria-hidden="true" />}
          className="mx-auto mt-8 flex"
          onPointerEnter={preloadTiming}
          onClick={onTime}
        >
          Time the lines
        </Button>
      )}
    </section>
  );
}
