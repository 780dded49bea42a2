import { MelodyWords } from '#features/teaching-notes/web/melody-words.tsx';
import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { createApiQuery } from '#web/api/query-client.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { ListedMelody, Melody } from '#features/melodies/contract.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { MelodySelection } from './use-melody-selection.ts';
import { useRefetchOnReconnect } from '#web/api/use-refetch-on-reconnect.ts';
import { type LiveTake, WordsWhileRecording } from './words-while-recording.tsx';

const WORDS_NOT_LOADED = 'We couldn’t load the words. You can still record.';

type ChosenMelodyWordsProps = {
  melody: MelodySelection;
  /** Whether the feedback above the words is still loading. */
  isHeld: boolean;
  /** The recording in progress, during which the words fill the screen; null if there is none. */
  singing: LiveTake | null;
  /** Whether there is no take yet, so that the words get all the space above the recorder. */
  isWhole: boolean;
};

/** The chosen melody's title and words. Their space is reserved while they load. */
export function ChosenMelodyWords({
  melody: { chosen, library, texts },
  isHeld,
  ...how
}: ChosenMelodyWordsProps) {
  if (library === 'missing') return <p className="mb-5 text-soft">{WORDS_NOT_LOADED}</p>;
  return (
    <div
      // The key makes React create a new element below the feedback. The existing element would be pushed
      // down, which counts as a layout shift.
      key={String(isHeld)}
      className={clsx(
        'flex flex-col',
        how.singing
          ? 'min-h-0 grow'
          : how.isWhole
            ? 'mb-5 max-lg:min-h-[45dvh] lg:h-[46vh]'
            : 'mb-5 lg:h-[46vh]',
      )}
    >
      {chosen && !isHeld ? (
        <>
          <h2
            {...getLangProps(chosen.title)}
            className={clsx(
              'wrap-anywhere',
              how.singing ? 'mb-1.5 text-center text-lg flat:hidden' : 'mb-3 text-xl',
            )}
          >
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
  singing: LiveTake | null;
  isWhole: boolean;
};

/** Shows the words from the library's texts, or fetches them if the library left them out. */
function Words({ melody: { id }, texts, singing, isWhole }: WordsProps) {
  const known = texts?.find((each) => each.id === id);
  const melody = useQuery({
    ...createApiQuery('GET /api/melodies/{id}', { params: { id } }),
    enabled: !known,
  });
  useRefetchOnReconnect(melody);
  const loaded = known ?? melody.data;
  if (loaded && singing) return <WordsWhileRecording melody={loaded} {...singing} />;
  if (loaded) return <MelodyWords melody={loaded} isWhole={isWhole} />;
  if (!melody.isError) return <Skeleton className="min-h-48 w-full grow" />;
  return <LoadFailure sentence={WORDS_NOT_LOADED} of={melody} />;
}
