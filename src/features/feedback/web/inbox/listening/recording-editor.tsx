import { useRef, type ReactNode, type Ref, type RefObject, useId } from 'react';
import { AudioPlayer } from '#web/audio-ui/playback/audio-player.tsx';
import { formatDisplayName } from '#web/api/session.ts';
import type { Recording } from '#features/recordings/contract.ts';
import { MarkButton, MarksEditor } from '#features/feedback/web/marks/marks-editor.tsx';
import type { Marking } from '#features/feedback/web/marks/use-marking.ts';
import type { MarkVoices } from '#features/feedback/web/voices/use-mark-voices.ts';
import { SungWords } from '../lines/sung-words.tsx';
import type { SungLinesState } from '../lines/use-sung-lines.ts';
import type { RecordingPlayback } from './use-recording-playback.ts';
import { Mic, Music, RotateCcw, RotateCw } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { KeyHint } from '../keys/key-hint.tsx';
import { formatDuration } from '#web/ui/format-duration.ts';

type RecordingPlayerProps = {
  recording: Pick<
    Recording,
    'id' | 'title' | 'student' | 'melodyId' | 'audioUrl' | 'audioCopies' | 'duration' | 'peaks'
  >;
  sung: SungLinesState;
  listening: RecordingPlayback;
  marking: Marking;
  voices: MarkVoices;
  /** Whether the keyboard shortcuts of the inbox work here, and should be shown. */
  hasKeys?: boolean;
  isDisabled: boolean;
  canRecordVoice: boolean;
  /** Ref to the button that records a voice comment. */
  voiceButton: RefObject<HTMLButtonElement | null>;
};

/** Editor for the marks on a recording: its player, with the words below the waveform, and the marks. */
export function MarkedRecordingEditor(props: Omit<RecordingPlayerProps, 'voiceButton'>) {
  const { recording, sung, marking, voices, isDisabled } = props;
  const voiceButton = useRef<HTMLButtonElement>(null);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <RecordingPlayer {...props} {...{ voiceButton }} />
      <MarksEditor
        {...{ recording, marking, voices, isDisabled, voiceButton }}
        lines={sung.lines}
        sung={sung.passages}
      />
    </div>
  );
}

/** Player for a recording, with the words below its waveform, and buttons that add marks. */
export function RecordingPlayer(props: RecordingPlayerProps) {
  const { recording, sung, listening, marking, voices, voiceButton } = props;
  const { hasKeys = false, isDisabled, canRecordVoice } = props;
  const { marks } = marking;
  return (
    <div className="@container min-w-0 shrink-0">
      <AudioPlayer
        id={recording.id}
        sound={{ name: recording.audioUrl, copies: recording.audioCopies }}
        title={`${recording.title}, ${formatDisplayName(recording.student)}`}
        duration={recording.duration}
        peaks={recording.peaks}
        pins={marks}
        onPin={(index) => marking.playFrom(marks[index]!)}
        hasSpeed
        onAudio={listening.setAudioElement}
        onStretch={isDisabled ? undefined : marking.addStretch}
        beneath={
          <SungWords
            {...{ sung }}
            audio={listening.audio}
            seconds={recording.duration}
            current={listening.currentPassage}
            onPlay={listening.playPassage}
          />
        }
        controls={
          <ListeningButtons {...{ listening, hasKeys }} hasMelody={recording.melodyId !== null}>
            <MarkButton {...{ marking, isDisabled }} shortcut={hasKeys ? 'M' : undefined} />
            <VoiceButton
              ref={voiceButton}
              {...{ voices }}
              isDisabled={!canRecordVoice}
              shortcut={hasKeys ? 'V' : undefined}
            />
          </ListeningButtons>
        }
      />
    </div>
  );
}

type ListeningButtonsProps = {
  listening: RecordingPlayback;
  hasMelody: boolean;
  /** Whether to show the keyboard shortcuts. */
  hasKeys: boolean;
  /** Buttons beside the melody button. */
  children: ReactNode;
};

/** Buttons beside the play button. In the inbox, each of them also has a shortcut. */
const ListeningButtons = ({ listening, hasMelody, hasKeys, children }: ListeningButtonsProps) => (
  <>
    {/* Hidden at widths at which the row would wrap. The B and F keys also skip 3 seconds. */}
    <span className="flex @max-[18rem]:hidden @min-[30rem]:@max-[44rem]:hidden">
      <IconButton label="Back 3 seconds" icon={<RotateCcw />} onClick={() => listening.skip(-1)} />
      <IconButton
        label="Forward 3 seconds"
        icon={<RotateCw />}
        onClick={() => listening.skip(1)}
        className="@max-[30rem]:hidden"
      />
    </span>
    <span className="flex flex-wrap gap-2 @max-[30rem]:w-full @max-[30rem]:gap-1.5 @max-[30rem]:[&_button]:grow @max-[30rem]:[&_button]:px-2 @min-[30rem]:@max-[52rem]:[&_button]:px-2.5 @max-[52rem]:[&_button>svg]:hidden @max-[46rem]:[&_kbd]:hidden">
      {hasMelody && (
        <Button
          icon={listening.isStudentNext ? <Mic /> : <Music />}
          aria-pressed={listening.currentPassage?.isSure ? undefined : listening.isMelodyOn}
          onClick={listening.playMelody}
        >
          {listening.isStudentNext ? 'Student' : 'Melody'}
          {hasKeys && <KeyHint>L</KeyHint>}
        </Button>
      )}
      {children}
    </span>
  </>
);

type VoiceButtonProps = {
  voices: MarkVoices;
  isDisabled: boolean;
  /** Keyboard shortcut to display. */
  shortcut: string | undefined;
  ref?: Ref<HTMLButtonElement>;
};

/**
 * Button that records a voice comment at the recording's current position while the button is held. With
 * Enter or Space, one press starts recording and the next press stops it.
 */
function VoiceButton({ voices, isDisabled, shortcut, ref }: VoiceButtonProps) {
  const { recorder, mode, isOn, begin, end } = voices;
  const hintId = useId();
  return (
    <>
      <Button
        ref={ref}
        icon={<Mic />}
        variant={isOn ? 'primary' : 'secondary'}
        disabled={isDisabled}
        aria-describedby={hintId}
        data-voice
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          if (mode === 'press') return end();
          event.currentTarget.setPointerCapture(event.pointerId);
          begin('pointer');
        }}
        onPointerUp={({ timeStamp }) => mode === 'pointer' && end({ releasedAt: timeStamp })}
        onPointerCancel={() => mode === 'pointer' && end()}
        // Handles only clicks without a pointer (`detail` is 0). Pointers are handled on pointer down.
        onClick={({ detail }) => detail === 0 && (isOn ? end() : begin('press'))}
        onContextMenu={(event) => event.preventDefault()}
        className="touch-none tabular-nums select-none [-webkit-touch-callout:none] @min-[30rem]:min-w-32"
      >
        {isOn ? (
          `${mode === 'press' ? 'Stop' : 'Speaking'} ${formatDuration(recorder.seconds)}`
        ) : (
          <>
            Hold to speak
            {shortcut && <KeyHint>{shortcut}</KeyHint>}
          </>
        )}
      </Button>
      <span id={hintId} hidden>
        Records a voice comment at this moment. On the keyboard, press Enter to start and again to stop.
      </span>
    </>
  );
}
