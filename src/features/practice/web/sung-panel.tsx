import { Timer } from 'lucide-react';
import type { PracticeClock } from '#web/audio/practice-clock.ts';
import { Button } from '#web/ui/button.tsx';
import { useUser } from '#web/api/session.ts';
import { NotesOfMelody } from '#features/teaching-notes/web/notes-of-melody.tsx';
import type { Melody, MelodyDetail } from '#features/melodies/contract.ts';
import { PracticeText, type PracticeWords } from './practice-text.tsx';
import { preloadTiming } from './timing/timing-place.tsx';

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
  const hasWords = Boolean(melody.melodyText?.trim());
  const isTeacher = useUser().role === 'admin';
  return (
    <section aria-label="Words">
      {hasWords ? (
        <PracticeText words={words} clock={isInFull ? clock : null} />
      ) : (
        <p className="text-center text-soft">This melody has no words yet.</p>
      )}
      <div className="mt-8 flex flex-wrap justify-center gap-3 empty:hidden">
        {isTeacher && hasWords && <NotesOfMelody melody={melody} />}
        {onTime && clock && isInFull && (
          <Button icon={<Timer aria-hidden="true" />} onPointerEnter={preloadTiming} onClick={onTime}>
            Time the lines
          </Button>
        )}
      </div>
    </section>
  );
}
