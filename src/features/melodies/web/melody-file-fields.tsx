import { type ReactNode, useCallback } from 'react';
import { AudioPlayer } from '#web/audio-ui/playback/audio-player.tsx';
import { getImageUrl } from '#web/audio-ui/playback/media-url.ts';
import { TextField } from '#web/ui/field.tsx';
import { FileDropField } from '#web/ui/file-drop-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { MelodyDetail } from '../contract.ts';
import { ApproximateSeekingNotice } from './approximate-seeking-notice.tsx';
import {
  type FileChoice,
  type MelodyFileChoices,
  type MelodyProblems,
  MELODY_TEXT_LIMITS,
  getFileSizeProblems,
  type MelodyFormValues,
} from './melody-form-values.ts';
import { ChosenAudioPlayer } from '#web/audio-ui/upload/chosen-audio-player.tsx';
import { useMeasuredSound } from './measured-sound.ts';
import { Button } from '#web/ui/button.tsx';

type FileFieldProps = {
  files: MelodyFileChoices;
  problems: MelodyProblems;
  /** Null for a new melody. */
  melody: MelodyDetail | null;
  onFiles: (files: MelodyFileChoices) => void;
};

export function MelodyThumbnailField({ files, problems, melody, onFiles }: FileFieldProps) {
  const choice = files.thumbnail;
  const file = choice instanceof File ? choice : null;
  const choose = (thumbnail: MelodyFileChoices['thumbnail']) => onFiles({ ...files, thumbnail });
  return (
    <div data-field="thumbnail" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <FileDropField
        label="Thumbnail image"
        isOptional
        accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
        hint="The melody’s picture in the library: JPEG, PNG, WebP, GIF or AVIF, up to 10 MB. Without one, a lotus is shown."
        error={problems.thumbnail}
        file={file}
        onChange={choose}
      />
      {file && !getFileSizeProblems(files).thumbnail && <PicturePreview file={file} />}
      {melody && melody.thumbnailUrl !== null && (
        <CurrentFile what="picture" choice={choice} onChange={choose}>
          <img
            src={getImageUrl(melody.thumbnailUrl)}
            alt="The current picture"
            className="aspect-video w-full rounded-md bg-sunk object-cover"
          />
        </CurrentFile>
      )}
    </div>
  );
}

export function MelodyAudioField({ files, problems, melody, onFiles }: FileFieldProps) {
  const choice = files.audioFile;
  const file = choice instanceof File ? choice : null;
  const choose = (audioFile: MelodyFileChoices['audioFile']) => onFiles({ ...files, audioFile });
  return (
    <div data-field="audioFile" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <FileDropField
        label="Audio file"
        isOptional
        accept=".mp3,.wav,.m4a,audio/mpeg,audio/wav,audio/x-wav,audio/mp4,audio/x-m4a"
        hint="MP3, WAV or M4A, up to 100 MB. Upload audio if there is no video URL."
        error={problems.audioFile}
        file={file}
        onChange={choose}
      />
      {file && !getFileSizeProblems(files).audioFile && <SoundPreview file={file} />}
      {melody && melody.audioUrl !== null && (
        <CurrentFile what="audio" choice={choice} onChange={choose}>
          <div className="rounded-md border border-line bg-surface p-3 sm:p-4">
            <AudioPlayer
              sound={{ name: melody.audioUrl, copies: melody.audioCopies }}
              title={melody.title}
              duration={melody.duration}
              peaks={melody.peaks}
              id={melody.id}
            />
          </div>
        </CurrentFile>
      )}
      {melody && !melody.seeksExactly && choice === null && <ApproximateSeekingNotice />}
      {melody?.timings && choice !== null && (
        <Notice tone="amber">
          The line timing was made for the current audio and will be removed with it.
        </Notice>
      )}
    </div>
  );
}

type MelodyVideoUrlFieldProps = {
  typed: MelodyFormValues;
  problems: MelodyProblems;
  onChange: (typed: MelodyFormValues) => void;
};

export const MelodyVideoUrlField = ({ typed, problems, onChange }: MelodyVideoUrlFieldProps) => (
  <TextField
    label="Video URL"
    isOptional
    name="vimeoUrl"
    type="url"
    inputMode="url"
    limit={MELODY_TEXT_LIMITS.vimeoUrl}
    placeholder="https://"
    autoComplete="off"
    value={typed.vimeoUrl}
    error={problems.vimeoUrl}
    onChange={(event) => onChange({ ...typed, vimeoUrl: event.target.value })}
  />
);

/** Preview of a picture that has not been sent yet. */
function PicturePreview({ file }: { file: File }) {
  const show = useCallback(
    (picture: HTMLImageElement) => {
      const address = URL.createObjectURL(file);
      picture.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [file],
  );
  return (
    <img
      ref={show}
      alt="Preview of the picture"
      className="aspect-video w-full rounded-md bg-sunk object-cover"
    />
  );
}

/** Player for an audio file that has not been sent yet. */
function SoundPreview({ file }: { file: File }) {
  return <ChosenAudioPlayer audio={useMeasuredSound(file)} title={file.name} />;
}

type CurrentFileProps = {
  what: 'picture' | 'audio';
  choice: FileChoice;
  onChange: (choice: FileChoice) => void;
  /** Shows or plays the file. */
  children: ReactNode;
};

/** Shows the melody's current file, or a message if saving will replace or remove it. */
function CurrentFile({ what, choice, onChange, children }: CurrentFileProps) {
  if (choice === null)
    return (
      <>
        {children}
        <Button className="justify-self-start" onClick={() => onChange('removed')}>
          Remove the current {what}
        </Button>
      </>
    );
  if (choice !== 'removed')
    return <p className="text-sm text-soft">This replaces the current {what} when you save.</p>;
  return (
    <div className="grid gap-3">
      <p role="status" className="text-sm font-semibold">
        The current {what} will be removed when you save.
      </p>
      <Button className="justify-self-start" onClick={() => onChange(null)}>
        Keep the current {what}
      </Button>
    </div>
  );
}
