import { useState } from 'react';
import type { Melody } from '../contract.ts';
import { audioFileUrl } from '../../../platform/web/audio-ui/media-url.ts';
import {
  type PlaybackState,
  togglePlayback,
  usePlayback,
} from '../../../platform/web/audio-ui/use-playback.ts';

export type CardPlayer = { state: PlaybackState; audio: HTMLAudioElement | null; toggle: () => void };

/** One `<audio>` for the whole library: the melody that was pressed last is in it. */
export function useLibraryPlayer() {
  const { audio, audioRef, state } = usePlayback();
  const [currentId, setCurrentId] = useState<number | null>(null);

  const toggle = ({ id, audioUrl }: Melody) => {
    if (!audio || audioUrl === null) return;
    // The element is told here and not by React: phones play only from within the press itself.
    if (id !== currentId || audio.error) putIn(audio, audioFileUrl(audioUrl));
    setCurrentId(id);
    togglePlayback(audio);
  };
  const playerOf = (melody: Melody): CardPlayer => ({
    state: melody.id === currentId ? state : 'still',
    audio: melody.id === currentId ? audio : null,
    toggle: () => toggle(melody),
  });
  return { audioRef, playerOf };
}

function putIn(audio: HTMLAudioElement, address: string) {
  audio.src = address;
}
