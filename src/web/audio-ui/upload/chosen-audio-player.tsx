import { useEffect, useState } from 'react';
import { toWholeSeconds } from '#shared/media.ts';
import { AudioPlayer } from '../playback/audio-player.tsx';
import type { ChosenAudio } from './chosen-audio.ts';

/** Plays audio from this device that has not been sent yet. */
export function ChosenAudioPlayer({ audio, title }: { audio: ChosenAudio; title: string }) {
  const address = useBlobUrl(audio.blob);
  return (
    <div className="min-h-19 rounded-md border border-line bg-surface p-3 sm:p-4">
      {address && (
        <AudioPlayer
          key={address}
          sound={address}
          title={title}
          duration={audio.seconds === null ? null : toWholeSeconds(audio.seconds)}
          peaks={audio.peaks}
          id={audio.name}
          failureNote={unplayableMessages[audio.origin]}
        />
      )}
    </div>
  );
}

export const unplayableMessages: Record<ChosenAudio['origin'], string> = {
  uploaded:
    'This browser can’t play this file. You can still send it. We’ll check it and tell you if it can’t be used.',
  recorded: 'This browser can’t play this recording. You can still send it.',
};

/** Returns an object URL for the blob; null until it is created. */
export function useBlobUrl(blob: Blob) {
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    // Creates and revokes the object URL with the effect, because the URL keeps the blob in memory until it is
    // revoked.
    // oxlint-disable-next-line react/set-state-in-effect
    setAddress(made);
    return () => {
      setAddress(null);
      URL.revokeObjectURL(made);
    };
  }, [blob]);
  return address;
}
