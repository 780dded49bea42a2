import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { useEffect, useRef } from 'react';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { LoadFailure } from '../../../platform/web/ui/load-failure.tsx';
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx';
import type { ListedMelody, Melody } from '../../melodies/contract.ts';
import { LayersOf, ReadOnlyText } from '../../melodies/web/sung-text/read-only-text.tsx';
import { IN_MIND } from './after-feedback.tsx';
import { useRefetchOnline } from './use-refetch-online.ts';

/** As a fraction of the screen's height. */
const ROOM_FOR_WHAT_WAS_SAID = 0.4;

type ChosenWordsProps = {
  melody: ListedMelody;
  texts: readonly Melody[] | undefined;
  isRecording: boolean;
};

/** The words of the chosen melody: from the library's texts, else asked for once it is chosen. */
export function ChosenWords({ melody: { id }, texts, isRecording }: ChosenWordsProps) {
  const known = texts?.find((each) => each.id === id);
  const melody = useQuery({ ...apiQuery('GET /api/melodies/{id}', { params: { id } }), enabled: !known });
  useRefetchOnline(melody);
  const loaded = known ?? melody.data;
  if (loaded) return <MelodyWords melody={loaded} isRecording={isRecording} />;
  if (!melody.isError) return <Skeleton className="mb-5 h-48 w-full" />;
  return (
    <div className="mb-5">
      <LoadFailure
        sentence="The words could not be loaded. You can record all the same."
        error={melody.error}
        isTrying={melody.isFetching}
        onTryAgain={() => void melody.refetch()}
      />
    </div>
  );
}

type MelodyWordsProps = { melody: Melody; isRecording: boolean };

/** The sung text, within sight of the recorder; while recording, as much of it as fits. */
export function MelodyWords({ melody, isRecording }: MelodyWordsProps) {
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
    <div className="mb-5">
      <div className={clsx('mb-3 empty:hidden', isRecording && 'max-lg:hidden')}>
        <LayersOf text={melody.melodyText} />
      </div>
      <section
        ref={section}
        tabIndex={0}
        aria-label={`Words of ${melody.title}`}
        className={clsx(
          'scroll-mt-18 overflow-y-auto rounded-md border border-line bg-surface px-2 py-3 lg:max-h-[40vh]',
          !isRecording && 'max-lg:max-h-48',
        )}
      >
        <ReadOnlyText text={melody.melodyText} />
      </section>
    </div>
  );
}
