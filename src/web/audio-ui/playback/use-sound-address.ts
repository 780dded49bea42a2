import { useEffect, useState } from 'react';
import { soundChoices, type StoredSound } from '#web/audio/sound-choice.ts';
import { useStore } from '#web/use-store.ts';
import { soundUrl } from './media-url.ts';

/**
 * The address at which an element fetches a sound. Once it was played, it stays: another copy would interrupt it, or
 * lose the place. What nobody has played yet follows the settings and the connection.
 * @param sound of one on this device, its address
 */
export function useSoundAddress(sound: StoredSound | string, audio: HTMLAudioElement | null): string {
  const choices = useStore(soundChoices);
  const name = typeof sound === 'string' ? sound : sound.name;
  const choose = () => ({ name, choices, address: typeof sound === 'string' ? sound : soundUrl(sound) });
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
