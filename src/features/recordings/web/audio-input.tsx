import { Mic, Upload } from 'lucide-react';
import { type ReactNode, type Ref, useState } from 'react';
import type { UploadSlot } from '#shared/media.ts';
import { Button } from '#web/ui/button.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';
import { isBeingRecorded, type SoundActivity } from '#web/audio-ui/sound-activity.ts';
import type { OpenRecordingWriter } from './recorder/recording-storage.ts';
import type { LiveRecording } from './recorder/live-recording.ts';
import { RecordPanel } from './recorder/record-panel.tsx';
import type { RecorderLayout } from './recorder/recorder-layout.ts';
import { AudioFilePicker } from '#web/audio-ui/upload/audio-file-picker.tsx';

export type { ChosenAudio } from '#web/audio-ui/upload/chosen-audio.ts';

export type AudioInputProps = {
  value: ChosenAudio | null;
  onChange: (value: ChosenAudio | null) => void;
  /** The upload slot for the audio, which limits its size. */
  slot: Pick<UploadSlot, 'tooLargeFrom' | 'tooLargeMessage'>;
  /** Label of the group, for screen readers. */
  label: string;
  recordLabel?: string;
  uploadLabel?: string;
  /** Error, shown below the controls. */
  error?: string | null | undefined;
  /**
   * Called when the activity changes, so that the caller can prevent sending and leaving while audio is being
   * recorded or read.
   */
  onActivityChange?: (activity: SoundActivity) => void;
  /**
   * Stores a recording on the device as it is made. A function passed during a recording applies to the next
   * recording.
   */
  storeRecording?: OpenRecordingWriter | undefined;
  /** Shown below a chosen file that is longer than a recording may be. */
  longNote?: string | undefined;
  /** A file shared by another app, handled as if the user had chosen it here. */
  given?: Promise<File | null> | null;
  /** Shows two buttons until one is pressed, for pages with many audio inputs. */
  compact?: boolean;
  /** Layout of the recorder. Ignored if `compact`. */
  layout?: Exclude<RecorderLayout, 'small'>;
  /** Opens the recorder whenever this number changes. Ignored if `compact`. */
  recordAsked?: number;
  /** Called when the recording in progress changes. Ignored if `compact`. */
  onLive?: ((live: LiveRecording) => void) | undefined;
  /** Whether the caller has its own Record Again button. */
  hasOwnRecordAgain?: boolean;
  ref?: Ref<HTMLDivElement>;
};

type SourceKind = 'record' | 'upload';

/**
 * Lets the user record audio or choose an audio file. The caller stores the audio and passes it as `value`;
 * null if there is none.
 */
export function AudioInput(props: AudioInputProps) {
  const { compact = false, label, error, ref } = props;
  return (
    <div
      ref={ref}
      role="group"
      aria-label={label}
      tabIndex={-1}
      data-audio-source
      className="scroll-mt-18 scroll-mb-40"
    >
      {compact ? <CompactSource {...props} /> : <TabbedSource {...props} />}
      {error && <p className="mt-3 text-sm font-semibold text-danger">{error}</p>}
    </div>
  );
}

/** Focuses the first enabled control in an {@link AudioInput}. */
export function focusAudioInput(source: HTMLElement | null) {
  const shown = source?.querySelector<HTMLElement>('[role=tabpanel]:not([hidden])') ?? source;
  shown?.querySelector<HTMLElement>('button:enabled, input:enabled')?.focus();
}

function TabbedSource({
  value,
  onChange,
  slot,
  label,
  recordLabel = 'Record in Browser',
  uploadLabel = 'Upload Audio File',
  onActivityChange,
  storeRecording,
  longNote,
  given = null,
  layout = 'large',
  recordAsked = 0,
  onLive,
  hasOwnRecordAgain = false,
}: AudioInputProps) {
  const [way, setWay] = useState<SourceKind>(given ? 'upload' : 'record');
  const [lastAsked, setLastAsked] = useState(recordAsked);
  if (recordAsked !== lastAsked) {
    setLastAsked(recordAsked);
    setWay('record');
  }
  const [isRecording, setIsRecording] = useState(false);
  const handleActivityChange = (activity: SoundActivity) => {
    setIsRecording(isBeingRecorded(activity));
    onActivityChange?.(activity);
  };
  return (
    <Tabs<SourceKind>
      label={label}
      value={way}
      onChange={setWay}
      tabs={[
        {
          value: 'record',
          label: recordLabel,
          panel: (
            <RecordPanel
              {...{ value, onChange, storeRecording, layout, onLive, hasOwnRecordAgain }}
              onActivityChange={handleActivityChange}
            />
          ),
        },
        {
          value: 'upload',
          label: uploadLabel,
          isDisabled: isRecording,
          panel: (
            <AudioFilePicker
              {...{ value, onChange, slot, longNote, given }}
              onActivityChange={handleActivityChange}
              className="pt-6"
            />
          ),
        },
      ]}
    />
  );
}

function CompactSource({
  value,
  onChange,
  slot,
  recordLabel = 'Record audio response',
  uploadLabel = 'Upload',
  onActivityChange,
  storeRecording,
  longNote,
}: AudioInputProps) {
  const [way, setWay] = useState<SourceKind | null>(null);
  const [isRecording, setIsRecording] = useState(false);
  const noteActivity = (activity: SoundActivity) => {
    setIsRecording(isBeingRecorded(activity));
    onActivityChange?.(activity);
  };
  const close = () => {
    onChange(null);
    setWay(null);
  };
  const shown = way ?? (value ? (value.origin === 'recorded' ? 'record' : 'upload') : null);
  if (shown === null)
    return (
      <div className="flex flex-wrap gap-3 *:max-w-full">
        <Button icon={<Mic />} onClick={() => setWay('record')}>
          {recordLabel}
        </Button>
        <Button icon={<Upload />} onClick={() => setWay('upload')}>
          {uploadLabel}
        </Button>
      </div>
    );
  return (
    <ExpandedSource close={isRecording ? null : close} hasAudio={value !== null}>
      {shown === 'record' ? (
        <RecordPanel
          {...{ value, onChange, storeRecording }}
          onActivityChange={noteActivity}
          layout="small"
          startsAtOnce
        />
      ) : (
        <AudioFilePicker
          {...{ value, onChange, slot, longNote }}
          onActivityChange={noteActivity}
          isFocused={way === 'upload'}
        />
      )}
    </ExpandedSource>
  );
}

type ExpandedSourceProps = { close: (() => void) | null; hasAudio: boolean; children: ReactNode };

const ExpandedSource = ({ close, hasAudio, children }: ExpandedSourceProps) => (
  <div className="rounded-md border border-line p-4">
    {children}
    {close && (
      <Button variant="quiet" className="mt-2" onClick={close}>
        {hasAudio ? 'Remove the audio' : 'Cancel'}
      </Button>
    )}
  </div>
);
