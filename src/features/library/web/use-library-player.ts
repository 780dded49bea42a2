import { useCallback, useRef, useState } from 'react';
import type { MelodySummary } from '#features/melodies/contract.ts';
import { chooseSoundUrl } from '#web/audio-ui/playback/media-url.ts';
import { type PlaybackState, togglePlayback, usePlayback } from '#web/audio-ui/playback/use-playback.ts';

export type CardPlayback = { state: PlaybackState; audio: HTMLAudioElement | null };

/** Shared by all cards that are not playing, so that they don't re-render. */
const IDLE: CardPlayback = { state: 'still', audio: null };

/** Plays the last pressed melody on one `<audio>` element for the whole library. */
export function useLibraryPlayer() {
  const { audio, audioRef, state } = usePlayback();
  const [currentId, setCurrentId] = useState<number | null>(null);
  const loaded = useRef<string>(null);

  const toggle = useCallback(
    ({ id, audioUrl, audioCopies }: MelodySummary) => {
      if (!audio || audioUrl === null) return;
      // Sets the source here instead of through React, because phones allow playback only during the press
      // itself.
      if (audioUrl !== loaded.current || audio.error)
        setSource(audio, chooseSoundUrl({ name: audioUrl, copies: audioCopies }));
      loaded.current = audioUrl;
      setCurrentId(id);
      togglePlayback(audio);
    },
    [audio],
  );
  const playerOf = ({ id }: MelodySummary): CardPlayback => (id === currentId ? { state, audio } : IDLE);
  return { audioRef, getCardPlayer: playerOf, toggle };
}

function setSource(audio: HTMLAudioElement, address: string) {
  audio.src = address;
}
