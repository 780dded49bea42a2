import { useRef } from 'react';
import { AudioPlayer } from '#web/audio-ui/playback/audio-player.tsx';
import { displayName } from '#web/api/session.ts';
import type { Recording } from '#features/recordings/contract.ts';
import { MarkButton, MarksEditor } from '#features/feedback/web/marks/marks-editor.tsx';
import type { Marking } from '#features/feedback/web/marks/use-marking.ts';
import type { Voices } from '#features/feedback/web/voices/use-voices.ts';
import { VoiceButton } from '#features/feedback/web/voices/voice-button.tsx';
import { SungWords } from '../lines/sung-words.tsx';
import type { SungLines } from '../lines/use-sung-lines.ts';
import { ListeningButtons } from './listening-buttons.tsx';
import type { Listening } from './use-listening.ts';

type RecordingEditorProps = {
  recording: Pick<
    Recording,
    'id' | 'title' | 'student' | 'melodyId' | 'audioUrl' | 'audioCopies' | 'duration' | 'peaks'
  >;
  sung: SungLines;
  listening: Listening;
  marking: Marking;
  voices: Voices;
  /** Its keyboard shortcuts are on, and shown. */
  hasKeys?: boolean;
  isDisabled: boolean;
  maySpeak: boolean;
};

/** A recording that is being answered: its waveform with the words beneath, and its marks. */
export function RecordingEditor(props: RecordingEditorProps) {
  const { recording, sung, listening, marking, voices, hasKeys = false, isDisabled, maySpeak } = props;
  const voiceButton = useRef<HTMLButtonElement>(null);
  const { marks } = marking;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <AudioPlayer
        id={recording.id}
        sound={{ name: recording.audioUrl, copies: recording.audioCopies }}
        title={`${recording.title}, ${displayName(recording.student)}`}
        duration={recording.duration}
        peaks={recording.peaks}
        pins={marks}
        onPin={(index) => marking.playFrom(marks[index]!)}
        hasSpeed
        onAudio={listening.takeAudio}
        onStretch={isDisabled ? undefined : marking.stretch}
        beneath={
          <SungWords
            {...{ sung }}
            audio={listening.audio}
            seconds={recording.duration}
            current={listening.current}
            onPlay={listening.playPassage}
          />
        }
        controls={
          <ListeningButtons {...{ listening, hasKeys }} hasMelody={recording.melodyId !== null}>
            <MarkButton {...{ marking, isDisabled }} shortcut={hasKeys ? 'M' : undefined} />
            <VoiceButton
              ref={voiceButton}
              {...{ voices }}
              isDisabled={!maySpeak}
              shortcut={hasKeys ? 'V' : undefined}
            />
          </ListeningButtons>
        }
      />
      <MarksEditor
        {...{ recording, marking, voices, isDisabled, voiceButton }}
        lines={sung.lines}
        sung={sung.passages}
      />
    </div>
  );
}
