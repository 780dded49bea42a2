import { Play } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { AudioPlayer } from '../../../platform/web/audio-ui/audio-player.tsx';
import { audioFileUrl } from '../../../platform/web/audio-ui/media-url.ts';
import { langOf } from '../../melodies/web/tibetan.ts';
import type { Feedback, Mark } from '../contract.ts';
import { placeOf } from '../marks.ts';
import { usePassages } from './use-passages.ts';

type MarkedRecordingProps = {
  recording: Pick<Feedback['recording'], 'id' | 'audioUrl' | 'duration' | 'peaks' | 'melodyId'>;
  marks: readonly Mark[];
  /** Names the player. */
  title: string;
  hasSpeed?: boolean;
  /** Leads from a passage to the same line of the melody, once it was heard. */
  leadsToMelody?: boolean;
  onAudio?: (audio: HTMLAudioElement | null) => void;
};

/** A recording with what was remarked at its places; a press on a remark plays that passage. */
export function MarkedRecording({
  recording: { id, audioUrl, duration, peaks, melodyId },
  marks,
  title,
  hasSpeed = false,
  leadsToMelody = false,
  onAudio,
}: MarkedRecordingProps) {
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  const [takeAudio] = useState(() => (element: HTMLAudioElement | null) => {
    setAudio(element);
    onAudio?.(element);
  });
  const passages = usePassages(audio);
  const play = (index: number) => marks[index] && passages.play(marks[index], index);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <AudioPlayer
        {...{ id, title, duration, peaks, hasSpeed }}
        src={audioFileUrl(audioUrl)}
        pins={marks}
        onPin={play}
        onAudio={takeAudio}
      />
      {marks.length > 0 && (
        <ol aria-label={`Marks in ${title}`} className="grid gap-1">
          {marks.map((mark, index) => (
            <li key={index}>
              <button
                type="button"
                onClick={() => play(index)}
                className="flex min-h-11 w-full items-start gap-3 rounded-md px-2 py-2 text-start hover:bg-sunk"
              >
                <span className="mt-0.5 inline-flex shrink-0 items-center gap-1.5 rounded-full bg-saffron-ground px-2.5 py-0.5 text-sm font-semibold text-saffron-ink tabular-nums">
                  <Play aria-hidden="true" className="size-3.5" />
                  <span className="sr-only">Play </span>
                  {placeOf(mark)}
                </span>
                {mark.text !== '' && (
                  <span {...langOf(mark.text)} className="min-w-0 font-serif break-words">
                    <span className="sr-only"> – </span>
                    {mark.text}
                  </span>
                )}
              </button>
              {leadsToMelody && melodyId !== null && passages.heard === index && (
                <Link
                  href={`/melodies?play=${melodyId}&at=${Math.floor(mark.start)}`}
                  className="link ms-2 inline-flex min-h-11 items-center text-sm"
                >
                  Hear this line in the melody
                </Link>
              )}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
