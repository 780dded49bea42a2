import { useEffect, useState } from 'react';
import { soundChoiceVersion, type SoundFile } from '#web/audio/sound-choice.ts';
import { useStore } from '#web/use-store.ts';
import { chooseSoundUrl } from './media-url.ts';

/**
 * Returns the URL from which an element fetches its audio. Until playback starts, the URL follows the settings
 * and the connection. After that it stays the same, because switching to a different copy would interrupt
 * playback or lose the position.
 * @param sound the URL itself if the audio is on this device
 */
export function useSoundUrl(sound: SoundFile | string, audio: HTMLAudioElement | null): string {
  const choices = useStore(soundChoiceVersion);
  const name = typeof sound === 'string' ? sound : sound.name;
  const choose = () => ({
    name,
    choices,
    address: typeof sound === 'string' ? sound : chooseSoundUrl(sound),
  });
  const [chosen, setChosen] = useState(choose);
  const [played, setPlayed] = useState<string | null>(null);
  if (chosen.name !== name || (chosen.choices !== choices && played !== name)) setChosen(choose);

  useEffect(() => {
    const note = () => setPlayed(name);
    audio?.addEventListener('play', note);
    return () => audio?.removeEventListener('play', note);
  }, [audio, name]);

  return chosen.address;
}
