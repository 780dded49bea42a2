import { Play, Square } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { Button } from '#web/ui/button.tsx';
import { formatAttemptName } from '#features/recordings/web/attempt-name.ts';
import type { ThreadEntry } from '../contract.ts';
import { AttemptEntry } from './attempt-entry.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { AttemptThread } from './attempt-thread.tsx';

/** Lists the student's attempts at a melody, with a button that plays them one after another. */
export const YourAttempts = ({ recordingId }: { recordingId: number }) => (
  <Disclosure label="Your recordings of this melody">
    {() => (
      <AttemptThread recordingId={recordingId} isEarliestFirst>
        {(entries, list) => <AttemptSequence {...{ entries, list }} />}
      </AttemptThread>
    )}
  </Disclosure>
);

type AttemptSequenceProps = { entries: readonly ThreadEntry[]; list: RefObject<HTMLOListElement | null> };

function AttemptSequence({ entries, list }: AttemptSequenceProps) {
  const { current, getAudioRef, playAll, stop } = useAttemptSequence(
    entries.map(({ recording }) => recording.id),
  );
  const currentEntry = entries.find(({ recording }) => recording.id === current);
  const playing = currentEntry ? formatAttemptName(currentEntry.recording.attempt ?? 1) : null;
  // Shows no list for a single attempt, because it is the recording that the page already shows.
  if (entries.length === 1)
    return <p className="text-sm text-soft">This is your only recording of this melody so far.</p>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {current === null ? (
          <Button icon={<Play />} onClick={playAll}>
            Play all recordings
          </Button>
        ) : (
          <Button icon={<Square />} onClick={stop}>
            Stop
          </Button>
        )}
        {playing && (
          <p aria-hidden="true" className="text-sm font-semibold text-action">
            {playing}
          </p>
        )}
      </div>
      <ScreenReaderAnnouncement text={playing ?? ''} />
      <ol ref={list} className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {entries.map((entry) => (
          <AttemptEntry
            key={entry.recording.id}
            entry={entry}
            isCurrent={entry === currentEntry}
            leadsToMelody
            onAudio={getAudioRef(entry.recording.id)}
          />
        ))}
      </ol>
    </div>
  );
}

/**
 * Plays the attempts one after another. Pausing the current attempt or playing another one ends the sequence.
 */
function useAttemptSequence(ids: readonly number[]) {
  const audios = useRef(new Map<number, HTMLAudioElement>());
  const [audioRefs] = useState(() => new Map<number, (audio: HTMLAudioElement | null) => void>());
  const [current, setCurrent] = useState<number | null>(null);
  // Reads the latest `ids`, because earlier attempts may be loaded while one is playing.
  const playNext = useEffectEvent((after: number) => setCurrent(ids[ids.indexOf(after) + 1] ?? null));

  useEffect(() => {
    const audio = current === null ? undefined : audios.current.get(current);
    if (!audio) return;
    const listening = new AbortController();
    const { signal } = listening;
    const stop = () => setCurrent(null);
    audio.addEventListener('ended', () => playNext(current!), { signal });
    // Ignores the 'pause' event that a recording also fires when it reaches its end.
    audio.addEventListener('pause', () => audio.ended || stop(), { signal });
    audio.addEventListener('error', stop, { signal });
    audio.currentTime = 0;
    audio.play().catch(() => signal.aborted || stop());
    return () => listening.abort();
  }, [current]);

  return {
    current,
    getAudioRef(id: number) {
      const known = audioRefs.get(id);
      if (known) return known;
      const setAudio = (audio: HTMLAudioElement | null) => {
        if (audio) audios.current.set(id, audio);
        else audios.current.delete(id);
      };
      audioRefs.set(id, setAudio);
      return setAudio;
    },
    playAll: () => setCurrent(ids[0] ?? null),
    stop() {
      if (current !== null) audios.current.get(current)?.pause();
      setCurrent(null);
    },
  };
}
