import { useEffect, useState } from 'react';
import { soundChoices, type StoredSound } from '#web/audio/sound-choice.ts';
import { useStore } from '#web/use-store.ts';
import { getSoundUrl } from './media-url.ts';

/**
 * Returns the address from which an element fetches a sound. Once the sound has been played, the address stays the
 * same: another copy would interrupt it or lose the position. Until then it follows the settings and the connection.
 * @param sound the address, if the sound is on this device
 */
export function useSoundUrl(sound: StoredSound | string, audio: HTMLAudioElement | null): string {
  const choices = useStore(soundChoices);
  const name = typeof sound === 'string' ? sound : sound.name;
  const choose = () => ({ name, choices, address: typeof sound === 'string' ? sound : getSoundUrl(sound) });
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
