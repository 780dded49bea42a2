import type { PracticeTransport } from '#web/audio/practice-transport.ts';
import { Lotus } from '#web/ui/lotus.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { Melody, MelodyDetail, MelodySummary } from '#features/melodies/contract.ts';
import { LoopGuide } from '#features/lyrics/web/loop-guide.tsx';
import { type PracticeLyrics, PracticeText } from './practice-text.tsx';
import { LoadFailure, type RefetchableResource } from '#web/ui/load-failure.tsx';
import { PrintedWords } from './printed-words.tsx';
import { Timer } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { useUser } from '#web/api/session.ts';
import { MelodyNotesButton } from '#features/teaching-notes/web/melody-notes-button.tsx';
import { preloadTimingEditor } from './timing/lazy-timing-editor.tsx';

/** Returns whether the melody's data includes its words (which may be empty). */
export const hasLoadedWords = (melody: MelodySummary): melody is Melody => 'melodyText' in melody;

/**
 * Returns the melody if its data includes the words, otherwise an empty object. Used until the details are
 * loaded.
 */
export const getMelodyIfWordsLoaded = (melody: MelodySummary) => (hasLoadedWords(melody) ? melody : {});

type MelodyTextProps = {
  /** Includes the words if the library's data has them, and always after the details are loaded. */
  melody: MelodySummary | Melody | MelodyDetail;
  words: PracticeLyrics;
  /** Set if the details could not be loaded. */
  missing: RefetchableResource | null;
  /** Determines the current line. Null if nothing can play. */
  clock: PracticeTransport | null;
  /** Opens the timing view, for teachers. */
  onTime?: (() => void) | null;
  /** Whether to hide the words until their times are loaded. */
  isPending?: boolean;
};

/** The words in large type, in their own scroll area. */
export function MelodyText(props: MelodyTextProps) {
  const { melody, words, missing, clock, onTime = null, isPending = false } = props;
  return (
    <div className="flex min-h-0 min-w-0 grow basis-0 flex-col tiny:min-h-36 tiny:basis-auto">
      <LoopGuide {...words} />
      <section
        tabIndex={0}
        aria-label={`Words of ${melody.title}`}
        className="flex min-h-0 grow basis-0 flex-col overflow-y-auto overscroll-contain px-3 py-2 focus-visible:-outline-offset-3 sm:px-8 desk:py-6"
      >
        {hasLoadedWords(melody) && !isPending ? (
          <WordsContent {...{ melody, words, clock, onTime }} />
        ) : (
          <div className="mx-auto w-full max-w-3xl py-4">
            {missing ? (
              <LoadFailure sentence="The words could not be loaded." of={missing} />
            ) : (
              <Skeleton className="measure mx-auto h-64 w-full" />
            )}
          </div>
        )}
      </section>
      <PrintedWords title={melody.title} text={words.text} notes={words.notes?.notesByLine} />
    </div>
  );
}

type WordsContentProps = Pick<MelodyTextProps, 'words' | 'clock'> & {
  melody: Melody | MelodyDetail;
  onTime: (() => void) | null;
};

function WordsContent({ melody, words, clock, onTime }: WordsContentProps) {
  if (melody.melodyText?.trim() || (onTime && clock))
    return <WordsPanel {...{ melody, words, clock, onTime }} />;
  return (
    <div className="my-auto grid justify-items-center gap-4 py-12 text-center text-soft">
      <Lotus className="w-20 text-saffron" strokeWidth={1.5} />
      <p>The words of this melody have not been added yet.</p>
    </div>
  );
}

type WordsPanelProps = {
  /** The library's data is enough to show the words. The timings come only with the details. */
  melody: Melody | MelodyDetail;
  words: PracticeLyrics;
  /** Null if the melody has no audio or its audio is not available. */
  clock: PracticeTransport | null;
  /** Opens the timing view, for teachers. */
  onTime: (() => void) | null;
};

/** A melody's words, with a teacher's buttons for notes and timing. */
function WordsPanel({ melody, words, clock, onTime }: WordsPanelProps) {
  const isInFull = 'timings' in melody;
  const hasWords = Boolean(melody.melodyText?.trim());
  const isTeacher = useUser().role === 'admin';
  return (
    // Automatic margins centre a short text without cutting off the beginning of a long text.
    <section aria-label="Words" className="my-auto">
      {hasWords ? (
        <PracticeText words={words} clock={isInFull ? clock : null} />
      ) : (
        <p className="text-center text-soft">This melody has no words yet.</p>
      )}
      <div className="mt-8 flex flex-wrap justify-center gap-3 empty:hidden">
        {isTeacher && hasWords && <MelodyNotesButton melody={melody} />}
        {onTime && clock && isInFull && (
          <Button icon={<Timer />} onPointerEnter={preloadTimingEditor} onClick={onTime}>
            Time the lines
          </Button>
        )}
      </div>
    </section>
  );
}
