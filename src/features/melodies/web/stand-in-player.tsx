import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { audioFileUrl } from '../../../platform/web/audio-ui/media-url.ts';
import type { PracticeClock } from '../../../platform/web/player/practice-clock.ts';
import { apiQuery } from '../../../platform/web/query-client.ts';
import { Button } from '../../../platform/web/ui/button.tsx';
import { Choice } from '../../../platform/web/ui/choice.tsx';
import { Dialog } from '../../../platform/web/ui/dialog.tsx';
import type { Melody } from '../contract.ts';
import { SungPanel } from './sung-text/sung-panel.tsx';

/** Stands where the practice player comes: enough of one to see the sung text lead. */
export default function StandInPlayer({ melody, onClose }: { melody: Melody; onClose: () => void }) {
  const { data } = useQuery(apiQuery('GET /api/melodies/{id}', { params: { id: melody.id } }));
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  const [rate, setRate] = useState('1');
  const clock = useMemo(() => audio && clockOf(audio), [audio]);
  useEffect(() => clock?.follow(), [clock]);
  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && onClose()} title={melody.title} size="full">
      {melody.audioUrl && <audio ref={setAudio} src={audioFileUrl(melody.audioUrl)} preload="auto" />}
      <div className="mb-6 flex flex-wrap gap-3">
        <Button onClick={() => audio && (audio.paused ? void audio.play() : audio.pause())}>
          Play or pause
        </Button>
        <Choice
          label="Speed"
          value={rate}
          options={['0.5', '1'].map((value) => ({ value, label: value }))}
          onChange={(value) => {
            setRate(value);
            clock?.setRate(Number(value));
          }}
        />
      </div>
      {data && (clock || !melody.audioUrl) && <SungPanel melody={data} clock={clock} />}
    </Dialog>
  );
}

function clockOf(
  audio: HTMLAudioElement,
): PracticeClock & { follow: () => () => void; setRate: (rate: number) => void } {
  const listeners = new Set<() => void>();
  let loop: { a: number; b: number } | null = null;
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const seek = (seconds: number) => {
    audio.currentTime = seconds;
  };
  return {
    now: () => audio.currentTime,
    isPlaying: () => !audio.paused,
    rate: () => audio.playbackRate,
    setRate: (rate) => {
      audio.playbackRate = rate;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    seek,
    playFrom: (seconds) => {
      seek(seconds);
      void audio.play();
    },
    setLoop: (a, b) => {
      loop = { a, b };
    },
    follow: () => {
      const listening = new AbortController();
      for (const event of ['play', 'playing', 'pause', 'seeking', 'seeked', 'timeupdate', 'ended'])
        audio.addEventListener(event, tell, { signal: listening.signal });
      audio.addEventListener(
        'timeupdate',
        () => {
          if (loop && audio.currentTime > loop.b) seek(loop.a);
        },
        { signal: listening.signal },
      );
      return () => listening.abort();
    },
  };
}
