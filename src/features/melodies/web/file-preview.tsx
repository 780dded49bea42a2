import { useCallback } from 'react';
import { ChosenPlayer } from '../../../platform/web/audio-ui/upload/chosen-player.tsx';
import { useExaminedSound } from './examined-sound.ts';

/** A picture that has not been sent yet. */
export function PictureOfFile({ file }: { file: File }) {
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
      alt="Preview of the thumbnail"
      className="aspect-video w-full rounded-md bg-sunk object-cover"
    />
  );
}

/** A sound that has not been sent yet. */
export function SoundOfFile({ file }: { file: File }) {
  return <ChosenPlayer audio={useExaminedSound(file)} title={file.name} />;
}
