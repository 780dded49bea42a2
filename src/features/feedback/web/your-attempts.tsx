import { Play, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Announce } from '../../../platform/web/ui/announce.tsx';
import { Button } from '../../../platform/web/ui/button.tsx';
import { attemptName } from '../../recordings/web/attempt-name.ts';
import type { ThreadEntry } from '../contract.ts';
import { AttemptEntry } from './attempt-entry.tsx';
import { Disclosure } from './disclosure.tsx';
import { Thread } from './thread.tsx';

/** All of the student's attempts at a melody, to play one after another. */
export const YourAttempts = ({ recordingId }: { recordingId: number }) => (
  <Disclosure label="Your attempts">
    {() => <Thread recordingId={recordingId}>{(entries) => <InTurn entries={entries} />}</Thread>}
  </Disclosure>
);

function InTurn({ entries }: { entries: readonly ThreadEntry[] }) {
  const { current, take, playAll, stop } = useInTurn(entries.length);
  // A single attempt is the recording shown above.
  if (entries.length === 1) return <p className="text-sm text-soft">This is the only one so far.</p>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {current === null ? (
          <Button icon={<Play aria-hidden="true" />} onClick={playAll}>
            Play all attempts
          </Button>
        ) : (
          <Button icon={<Square aria-hidden="true" />} onClick={stop}>
            Stop
          </Button>
        )}
        {current !== null && (
          <p aria-hidden="true" className="text-sm font-semibold text-action">
            {attemptName(current + 1)}
          </p>
        )}
      </div>
      <Announce text={current === null ? '' : attemptName(current + 1)} />
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {entries.map((entry, index) => (
          <AttemptEntry
            key={entry.recording.id}
            entry={entry}
            number={index + 1}
            isCurrent={index === current}
            leadsToMelody
            onAudio={take(index)}
          />
        ))}
      </ol>
    </div>
  );
}

/** Plays the attempts one after another; stopping one, or playing another, ends the sequence. */
function useInTurn(count: number) {
  const audios = useRef(new Map<number, HTMLAudioElement>());
  const [takers] = useState(() => new Map<number, (audio: HTMLAudioElement | null) => void>());
  const [current, setCurrent] = useState<number | null>(null);

  useEffect(() => {
    const audio = current === null ? undefined : audios.current.get(current);
    if (!audio) return;
    const listening = new AbortController();
    const { signal } = listening;
    const stop = () => setCurrent(null);
    audio.addEventListener('ended', () => setCurrent(current! + 1 < count ? current! + 1 : null), { signal });
    // A recording that reaches its end also fires 'pause'.
    audio.addEventListener('pause', () => audio.ended || stop(), { signal });
    audio.addEventListener('error', stop, { signal });
    audio.currentTime = 0;
    audio.play().catch(stop);
    return () => listening.abort();
  }, [current, count]);

  return {
    current,
    take(index: number) {
      const known = takers.get(index);
      if (known) return known;
      const taker = (audio: HTMLAudioElement | null) => {
        if (audio) audios.current.set(index, audio);
        else audios.current.delete(index);
      };
      takers.set(index, taker);
      return taker;
    },
    playAll: () => setCurrent(0),
    stop() {
      if (current !== null) audios.current.get(current)?.pause();
      setCurrent(null);
    },
  };
}
