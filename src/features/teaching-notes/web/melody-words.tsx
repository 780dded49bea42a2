import { clsx } from 'clsx';
import type { Melody } from '#features/melodies/contract.ts';
import {
  TextLayerSwitches,
  ReadOnlySungText,
  useSungText,
} from '#features/lyrics/web/read-only-sung-text.tsx';
import { useLineNotes } from '#features/teaching-notes/web/use-line-notes.ts';

type MelodyWordsProps = {
  melody: Melody;
  isWhole?: boolean;
};

/**
 * The sung text. With `isWhole`, it has full height on a phone and scrolls with the page; otherwise it scrolls
 * separately.
 */
export function MelodyWords({ melody, isWhole = false }: MelodyWordsProps) {
  if (!melody.melodyText) return null;
  return (
    <>
      <div className="mb-3 empty:hidden max-lg:order-1 max-lg:mt-3">
        <TextLayerSwitches text={melody.melodyText} />
      </div>
      <section
        tabIndex={0}
        aria-label={`Words of ${melody.title}`}
        className={clsx(
          'scroll-mt-18 overflow-y-auto rounded-md border border-line bg-surface px-2 pt-3 lg:max-h-[40vh]',
          fadeClasses,
          !isWhole && 'max-lg:max-h-48',
        )}
      >
        <NotedText melodyId={melody.id} text={melody.melodyText} />
      </section>
    </>
  );
}

/**
 * Fades out the last visible line, to show that more words follow. At the end of the text, only empty space is
 * faded.
 */
const fadeClasses =
  'after:pointer-events-none after:sticky after:bottom-0 after:block after:h-6 after:bg-linear-to-t after:from-surface after:to-transparent';

/** The text, with bookmark buttons that open the teacher's notes. */
function NotedText({ melodyId, text }: { melodyId: number; text: string }) {
  const notes = useLineNotes(melodyId, useSungText(text).lines, null);
  return <ReadOnlySungText {...{ text, notes }} />;
}
