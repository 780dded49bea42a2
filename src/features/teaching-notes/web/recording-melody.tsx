import { useQuery } from '@tanstack/react-query';
import { AudioPlayer } from '#web/audio-ui/playback/audio-player.tsx';
import { createApiQuery } from '#web/api/query-client.ts';
import { LoadFailure } from '#web/ui/load-failure.tsx';
import { SkeletonList } from '#web/ui/skeleton.tsx';
import type { MelodyDetail } from '#features/melodies/contract.ts';
import { libraryQuery } from '#features/melodies/web/library-query.ts';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import { MelodyWords } from './melody-words.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';

/**
 * The melody of a recording, to play and read next to the recording. Its audio and words are fetched only when
 * it is opened.
 */
export function RecordingMelody({ melodyId }: { melodyId: number }) {
  const melodies = useQuery(libraryQuery).data;
  const melody = melodies?.find(({ id }) => id === melodyId);
  if (!melody) return null;
  return (
    <Disclosure
      label={
        <>
          Melody: <span {...getLangProps(melody.title)}>{melody.title}</span>
        </>
      }
    >
      {() => <LoadedMelody melodyId={melodyId} />}
    </Disclosure>
  );
}

function LoadedMelody({ melodyId }: { melodyId: number }) {
  const melody = useQuery(createApiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }));
  if (melody.data) return <SoundAndWords melody={melody.data} />;
  if (melody.isError) return <LoadFailure sentence="The melody could not be loaded." of={melody} />;
  return <SkeletonList label="Loading the melody..." count={1} itemClassName="h-14" />;
}

function SoundAndWords({ melody }: { melody: MelodyDetail }) {
  const { id, title, audioUrl, vimeoUrl, melodyText, duration, peaks } = melody;
  const hasWords = Boolean(melodyText?.trim());
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-md bg-sunk px-4 py-3">
      {audioUrl && (
        <AudioPlayer
          id={`melody-${id}`}
          sound={{ name: audioUrl, copies: melody.audioCopies }}
          title={`The melody: ${title}`}
          {...{ duration, peaks }}
        />
      )}
      {!audioUrl && vimeoUrl && (
        <a
          href={vimeoUrl}
          target="_blank"
          rel="noopener noreferrer"
          className="link inline-flex min-h-11 items-center text-sm"
        >
          Video of the melody (opens in a new tab)
        </a>
      )}
      {hasWords && <Disclosure label="Words">{() => <MelodyWords melody={melody} />}</Disclosure>}
      {!audioUrl && !vimeoUrl && !hasWords && (
        <p className="text-sm text-soft">This melody has no audio or words yet.</p>
      )}
    </div>
  );
}
