import { clsx } from 'clsx';
import { Play, Square } from 'lucide-react';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { AudioPlayer } from '#web/audio-ui/playback/audio-player.tsx';
import { soundUrl } from '#web/audio-ui/playback/media-url.ts';
import { PinNumber } from '#web/audio-ui/playback/mark-pins.tsx';
import { spokenDuration } from '#web/ui/duration.ts';
import { Announce } from '#web/ui/announce.tsx';
import { langOf } from '#features/lyrics/web/tibetan.ts';
import type { Feedback, Mark, Voice } from '#features/feedback/contract.ts';
import { placeOf } from '#features/feedback/marks.ts';
import { VoiceLength } from './voice-length.tsx';
import { MarkSounds, soundsAloud } from './mark-sounds.tsx';
import { libraryLine, useMarkPlayer } from './use-mark-player.ts';

type MarkedRecordingProps = {
  recording: Pick<
    Feedback['recording'],
    'id' | 'audioUrl' | 'audioCopies' | 'duration' | 'peaks' | 'melodyId'
  >;
  marks: readonly Mark[];
  /** The spoken parts of the marks. */
  voices?: Feedback['voices'] | undefined;
  /** Name of the player. */
  title: string;
  hasSpeed?: boolean;
  /** Whether the same line of the melody plays after a passage, for the student whose recording it is. */
  leadsToMelody?: boolean;
  onAudio?: (audio: HTMLAudioElement | null) => void;
  /** Renders further actions for the mark with this index. */
  besideMark?: (index: number) => ReactNode;
};

/**
 * A recording with its marks. Pressing a mark plays its passage; if it has a voice, then that and the passage again.
 * Pressing it again stops it.
 */
export function MarkedRecording({
  recording: { id, audioUrl, audioCopies, duration, peaks, melodyId },
  marks,
  // Absent in feedback that an older version stored on the device.
  voices = [],
  title,
  hasSpeed = false,
  leadsToMelody = false,
  onAudio,
  besideMark,
}: MarkedRecordingProps) {
  const { player, heard } = useMarkPlayer();
  const [takeAudio] = useState(() => (element: HTMLAudioElement | null) => {
    player.take(element);
    onAudio?.(element);
  });
  const findLine = leadsToMelody && melodyId !== null ? libraryLine(melodyId) : null;
  const voiceOf = (mark: Mark) => voices.find((voice) => voice.id === mark.voice) ?? null;
  const press = (index: number) => {
    const mark = marks[index];
    if (!mark) return;
    const voice = voiceOf(mark);
    player.press(index, mark, findLine, voice && heardVoice(voice));
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <AudioPlayer
        {...{ id, title, duration, peaks, hasSpeed }}
        sound={{ name: audioUrl, copies: audioCopies }}
        pins={marks}
        onPin={press}
        onAudio={takeAudio}
      />
      {marks.length > 0 && (
        <ol aria-label={`Comments on ${title}`} className="grid gap-1">
          {marks.map((mark, index) => (
            <li key={index}>
              <div className={clsx(besideMark && 'flex flex-wrap items-start justify-end gap-x-2')}>
                <MarkButton
                  mark={mark}
                  voice={voiceOf(mark)}
                  number={index + 1}
                  isOn={heard.index === index && heard.sounds !== 'nothing'}
                  onPress={() => press(index)}
                />
                {besideMark?.(index)}
              </div>
              {(leadsToMelody || voiceOf(mark)) && heard.index === index && (
                <MarkSounds
                  {...{ heard, melodyId }}
                  isOwn={leadsToMelody}
                  onHearVoice={(event) => {
                    player.pressVoice();
                    focusMark(event);
                  }}
                  onHearMelody={(event) => {
                    player.pressLine();
                    focusMark(event);
                  }}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {(leadsToMelody || voices.length > 0) && marks.length > 0 && (
        <Announce text={soundsAloud(heard, leadsToMelody)} />
      )}
    </div>
  );
}

/** Focuses the button that stops playback, because the pressed button disappears. */
const focusMark = ({ currentTarget }: MouseEvent) =>
  currentTarget.closest('li')?.querySelector('button')?.focus();

const heardVoice = ({ audioUrl, audioCopies, duration }: Voice) => ({
  src: soundUrl({ name: audioUrl, copies: audioCopies }),
  seconds: duration,
});

type MarkButtonProps = {
  mark: Mark;
  voice: Voice | null;
  number: number;
  isOn: boolean;
  onPress: () => void;
};

function MarkButton({ mark, voice, number, isOn, onPress }: MarkButtonProps) {
  const Icon = isOn ? Square : Play;
  return (
    <button
      type="button"
      onClick={onPress}
      className="flex min-h-11 w-full min-w-0 grow basis-40 items-baseline gap-3 rounded-md px-2 py-2 text-start hover:bg-sunk"
    >
      <PinNumber number={number} />
      <span className="grid min-w-0 gap-x-3 sm:flex sm:items-baseline">
        <span className="inline-flex shrink-0 items-center gap-1.5 text-sm font-semibold text-saffron-ink tabular-nums">
          <Icon aria-hidden="true" className="size-3.5" />
          <span className="sr-only">{isOn ? 'Stop ' : 'Play '}</span>
          {placeOf(mark)}
        </span>
        {mark.text !== '' && (
          <span {...langOf(mark.text)} className="min-w-0 font-serif break-words">
            <span className="sr-only"> – </span>
            {mark.text}
          </span>
        )}
        {voice && (
          <>
            <span className="sr-only"> – voice comment, {spokenDuration(voice.duration)}</span>
            <VoiceLength seconds={voice.duration} />
          </>
        )}
      </span>
    </button>
  );
}
