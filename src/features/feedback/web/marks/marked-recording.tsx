import { clsx } from 'clsx';
import { Play, Square } from 'lucide-react';
import { type MouseEvent, type ReactNode, useState } from 'react';
import { AudioPlayer } from '#web/audio-ui/playback/audio-player.tsx';
import { chooseSoundUrl } from '#web/audio-ui/playback/media-url.ts';
import { PinNumber } from '#web/audio-ui/playback/mark-pins.tsx';
import { formatDurationInWords } from '#web/ui/format-duration.ts';
import { ScreenReaderAnnouncement } from '#web/ui/announcement.tsx';
import { getLangProps } from '#features/lyrics/web/lang-props.ts';
import type { Feedback, Mark, VoiceComment } from '#features/feedback/contract.ts';
import { formatMarkTime } from '#features/feedback/marks.ts';
import { VoiceDuration } from './voice-duration.tsx';
import { MarkPlaybackStatus, describeMarkPlayback } from './mark-playback-status.tsx';
import { createLineFinder, useMarkPlayer } from './use-mark-player.ts';

type MarkedRecordingProps = {
  recording: Pick<
    Feedback['recording'],
    'id' | 'audioUrl' | 'audioCopies' | 'duration' | 'peaks' | 'melodyId'
  >;
  marks: readonly Mark[];
  /** The voice comments of the marks. */
  voices?: Feedback['voices'] | undefined;
  /** Accessible name of the player. */
  title: string;
  hasSpeed?: boolean;
  /** Whether the same line of the melody plays after a passage. True for students, on their own recordings. */
  leadsToMelody?: boolean;
  onAudio?: (audio: HTMLAudioElement | null) => void;
  /** Renders further actions for the mark with this index. */
  besideMark?: (index: number) => ReactNode;
};

/**
 * Shows a recording with its marks. Pressing a mark plays its passage and, if the mark has a voice comment,
 * the comment and the passage again. Pressing the mark again stops playback.
 */
export function MarkedRecording({
  recording: { id, audioUrl, audioCopies, duration, peaks, melodyId },
  marks,
  // Absent in feedback that an older version of the app stored on the device.
  voices = [],
  title,
  hasSpeed = false,
  leadsToMelody = false,
  onAudio,
  besideMark,
}: MarkedRecordingProps) {
  const { player, playback } = useMarkPlayer();
  const [setAudioElement] = useState(() => (element: HTMLAudioElement | null) => {
    player.setRecording(element);
    onAudio?.(element);
  });
  const findLine = leadsToMelody && melodyId !== null ? createLineFinder(melodyId) : null;
  const voiceOf = (mark: Mark) => voices.find((voice) => voice.id === mark.voice) ?? null;
  const press = (index: number) => {
    const mark = marks[index];
    if (!mark) return;
    const voice = voiceOf(mark);
    player.press(index, mark, findLine, voice && toVoiceSource(voice));
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <AudioPlayer
        {...{ id, title, duration, peaks, hasSpeed }}
        sound={{ name: audioUrl, copies: audioCopies }}
        pins={marks}
        onPin={press}
        onAudio={setAudioElement}
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
                  isOn={playback.index === index && playback.sounds !== 'nothing'}
                  onPress={() => press(index)}
                />
                {besideMark?.(index)}
              </div>
              {(leadsToMelody || voiceOf(mark)) && playback.index === index && (
                <MarkPlaybackStatus
                  {...{ heard: playback, melodyId }}
                  isOwn={leadsToMelody}
                  onPlayVoice={(event) => {
                    player.pressVoice();
                    focusMarkButton(event);
                  }}
                  onPlayMelody={(event) => {
                    player.pressLine();
                    focusMarkButton(event);
                  }}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {(leadsToMelody || voices.length > 0) && marks.length > 0 && (
        <ScreenReaderAnnouncement text={describeMarkPlayback(playback, leadsToMelody)} />
      )}
    </div>
  );
}

/** Focuses the button that stops playback, because the pressed button disappears. */
const focusMarkButton = ({ currentTarget }: MouseEvent) =>
  currentTarget.closest('li')?.querySelector('button')?.focus();

const toVoiceSource = ({ audioUrl, audioCopies, duration }: VoiceComment) => ({
  src: chooseSoundUrl({ name: audioUrl, copies: audioCopies }),
  seconds: duration,
});

type MarkButtonProps = {
  mark: Mark;
  voice: VoiceComment | null;
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
          {formatMarkTime(mark)}
        </span>
        {mark.text !== '' && (
          <span {...getLangProps(mark.text)} className="min-w-0 font-serif break-words">
            <span className="sr-only"> – </span>
            {mark.text}
          </span>
        )}
        {voice && (
          <>
            <span className="sr-only"> – voice comment, {formatDurationInWords(voice.duration)}</span>
            <VoiceDuration seconds={voice.duration} />
          </>
        )}
      </span>
    </button>
  );
}
