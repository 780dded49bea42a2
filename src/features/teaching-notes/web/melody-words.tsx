import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import type { Melody } from '#features/melodies/contract.ts';
import { LayersOf, ReadOnlyText, useSungText } from '#features/lyrics/web/read-only-text.tsx';
import { useLineNotes } from '#features/teaching-notes/web/use-line-notes.ts';

/** As a fraction of the screen height. */
const ROOM_FOR_WHAT_WAS_SAID = 0.4;

type MelodyWordsProps = {
  melody: Melody;
  isRecording?: boolean;
  isWhole?: boolean;
  /** Id of an element above the words to keep in view with them while recording. */
  inSightId?: string;
};

/**
 * The sung text. With `isWhole` it has full height on a phone and scrolls with the page; otherwise it scrolls on its
 * own.
 */
export function MelodyWords({ melody, isRecording = false, isWhole = false, inSightId }: MelodyWordsProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isRecording) return;
    // On a phone, all words can be reached by scrolling the page, with the recorder at the bottom. The teacher's
    // feedback stays in view above the words if that leaves enough room for them.
    const said = inSightId === undefined ? null : document.getElementById(inSightId);
    const hasRoom = said !== null && said.offsetHeight < innerHeight * ROOM_FOR_WHAT_WAS_SAID;
    (hasRoom ? said : section.current)?.scrollIntoView({ block: 'start' });
  }, [isRecording, inSightId]);
  if (!melody.melodyText) return null;
  return (
    <>
      <div
        className={clsx(
          'mb-3 empty:hidden',
          isWhole && 'max-lg:order-1 max-lg:mt-3',
          isRecording && 'max-lg:hidden',
        )}
      >
        <LayersOf text={melody.melodyText} />
      </div>
      <section
        ref={section}
        tabIndex={0}
        aria-label={`Words of ${melody.title}`}
        className={clsx(
          'scroll-mt-18 overflow-y-auto rounded-md border border-line bg-surface px-2 py-3 lg:max-h-[40vh]',
          !isWhole && 'max-lg:max-h-48',
        )}
      >
        <NotedText {...{ isRecording }} melodyId={melody.id} text={melody.melodyText} />
      </section>
    </>
  );
}

/** The text with the teacher's notes behind signs. */
function NotedText({
  melodyId,
  text,
  isRecording,
}: {
  melodyId: number;
  text: string;
  isRecording: boolean;
}) {
  const notes = useLineNotes(melodyId, useSungText(text).lines, null);
  return <ReadOnlyText {...{ text, notes }} isSilent={isRecording} />;
}
