import { useCallback } from 'react';
import { ChosenPlayer } from '../../../platform/web/audio-ui/chosen-player.tsx';
import { TextField } from '../../../platform/web/ui/field.tsx';
import { FileDrop } from '../../../platform/web/ui/file-drop.tsx';
import { useExaminedSound } from './examined-sound.ts';
import { tooLargeIn, type MelodyFiles, type MelodyProblems, type TypedMelody } from './new-melody.ts';

type MelodyFileFieldsProps = {
  typed: TypedMelody;
  files: MelodyFiles;
  problems: MelodyProblems;
  onChange: (typed: TypedMelody) => void;
  onFiles: (files: MelodyFiles) => void;
};

export function MelodyFileFields({ typed, files, problems, onChange, onFiles }: MelodyFileFieldsProps) {
  const tooLarge = tooLargeIn(files);
  const picture = tooLarge.thumbnail ? null : files.thumbnail;
  const sound = tooLarge.audioFile ? null : files.audioFile;
  return (
    <>
      <div data-field="thumbnail" className="grid gap-3">
        <FileDrop
          label="Thumbnail image"
          isOptional
          accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
          hint="JPEG, PNG, WebP, GIF or AVIF, up to 10 MB. Without one the lotus is shown."
          error={problems.thumbnail}
          file={files.thumbnail}
          onChange={(thumbnail) => onFiles({ ...files, thumbnail })}
        />
        {picture && <Picture file={picture} />}
      </div>
      <TextField
        label="Video URL"
        isOptional
        name="vimeoUrl"
        type="url"
        inputMode="url"
        maxLength={2000}
        placeholder="https://"
        autoComplete="off"
        hint="Upload audio if there is no video URL."
        value={typed.vimeoUrl}
        error={problems.vimeoUrl}
        onChange={(event) => onChange({ ...typed, vimeoUrl: event.target.value })}
      />
      <div data-field="audioFile" className="grid gap-3">
        <FileDrop
          label="Audio file"
          isOptional
          accept=".mp3,.wav,.m4a,audio/mpeg,audio/wav,audio/x-wav,audio/mp4,audio/x-m4a"
          hint="MP3, WAV or M4A, up to 100 MB."
          error={problems.audioFile}
          file={files.audioFile}
          onChange={(audioFile) => onFiles({ ...files, audioFile })}
        />
        {sound && <Sound file={sound} />}
      </div>
    </>
  );
}

function Picture({ file }: { file: File }) {
  const show = useCallback(
    (picture: HTMLImageElement) => {
      const address = URL.createObjectURL(file);
      picture.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [file],
  );
  return (
    <img ref={show} alt="Preview of the thumbnail" className="aspect-video w-full rounded-md object-cover" />
  );
}

function Sound({ file }: { file: File }) {
  return <ChosenPlayer audio={useExaminedSound(file)} title={file.name} />;
}
