import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { apiQuery } from '#web/api/query-client.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { ListedMelody, Melody } from '#features/melodies/contract.ts';
import { LayersOf, ReadOnlyText, useSungText } from '#features/lyrics/web/read-only-text.tsx';
import { langOf } from '#features/lyrics/web/tibetan.ts';
import { useLineNotes } from '#features/teaching-notes/web/use-line-notes.ts';
import { IN_MIND } from './after-feedback.tsx';
import type { ChosenMelody } from './chosen-melody.ts';
import { useRefetchOnline } from '#features/recordings/web/use-refetch-online.ts';

/** As a fraction of the screen's height. */
const ROOM_FOR_WHAT_WAS_SAID = 0.4;

const NO_WORDS = 'The words could not be loaded. You can record all the same.';

type ChosenWordsProps = {
  melody: ChosenMelody;
  /** What belongs above the words is on its way. */
  isHeld: boolean;
  isRecording: boolean;
  /** There is no take yet: the words have all the room above the recorder. */
  isWhole: boolean;
};

/** The chosen melody's title and words. They take the same room before they have come. */
export function ChosenWords({ melody: { chosen, library, texts }, isHeld, ...how }: ChosenWordsProps) {
  if (library === 'missing') return <p className="mb-5 text-soft">{NO_WORDS}</p>;
  return (
    <div
      // A new element, which appears where the feedback leaves room, instead of one that is pushed down by it.
      key={String(isHeld)}
      className={clsx('mb-5 flex flex-col lg:h-[46vh]', how.isWhole && 'max-lg:min-h-[45dvh]')}
    >
      {chosen && !isHeld ? (
        <>
          <h2 {...langOf(chosen.title)} className="mb-3 text-xl wrap-anywhere">
            {chosen.title}
          </h2>
          {chosen.textBytes > 0 && <Words melody={chosen} texts={texts} {...how} />}
        </>
      ) : (
        <Skeleton className="min-h-48 w-full grow" />
      )}
    </div>
  );
}

type WordsProps = {
  melody: ListedMelody;
  texts: readonly Melody[] | undefined;
  isRecording: boolean;
  isWhole: boolean;
};

/** From the library's texts, else asked for once the melody is chosen. */
function Words({ melody: { id }, texts, ...how }: WordsProps) {
  const known = texts?.find((each) => each.id === id);
  const melody = useQuery({ ...apiQuery('GET /api/melodies/{id}', { params: { id } }), enabled: !known });
  useRefetchOnline(melody);
  const loaded = known ?? melody.data;
  if (loaded) return <MelodyWords melody={loaded} {...how} />;
  if (!melody.isError) return <Skeleton className="min-h-48 w-full grow" />;
  return (
    <LoadFailure
      sentence={NO_WORDS}
      error={melody.error}
      isTrying={melody.isFetching}
      onTryAgain={() => void melody.refetch()}
    />
  );
}

type MelodyWordsProps = { melody: Melody; isRecording?: boolean; isWhole?: boolean };

/** The sung text. On a phone it is whole where `isWhole`, and is scrolled with the page; else it scrolls in itself. */
export function MelodyWords({ melody, isRecording = false, isWhole = false }: MelodyWordsProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isRecording) return;
    // On a phone, all words can be reached by scrolling the page, with the recorder at the bottom. The teacher's
    // feedback stays in sight above the words, if that leaves room for them.
    const said = document.getElementById(IN_MIND);
    const hasRoom = said !== null && said.offsetHeight < innerHeight * ROOM_FOR_WHAT_WAS_SAID;
    (hasRoom ? said : section.current)?.scrollIntoView({ block: 'start' });
  }, [isRecording]);
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

/** The text with what the teacher says of its lines, behind signs. */
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
