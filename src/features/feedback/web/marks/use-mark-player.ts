import { useState } from 'react';
import { chooseSoundUrl } from '#web/audio-ui/playback/media-url.ts';
import { createApiQuery, queryClient } from '#web/api/query-client.ts';
import { useStore } from '#web/use-store.ts';
import { findLineAt } from './mark-lines.ts';
import { getTimedLines } from '#features/melodies/timed-lines.ts';
import { createMarkPlayer, type MelodyLineFinder } from './mark-player.ts';
import { useStopOnSpace } from '../inbox/keys/use-inbox-shortcuts.ts';

/**
 * Creates a function that finds lines of a melody in the current user's library. It fetches the melody each
 * time, so that a revoked or deleted melody is not played, and a retimed melody is played at its new times.
 * It rejects if the melody can't be fetched.
 */
export const createLineFinder =
  (melodyId: number): MelodyLineFinder =>
  async (melodyAt) => {
    const melody = await queryClient.fetchQuery({
      ...createApiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }),
      staleTime: 0,
    });
    const line = findLineAt(getTimedLines(melody), melodyAt);
    if (!line || !melody.audioUrl) return null;
    const { words, start, end } = line;
    return { words, start, end, src: chooseSoundUrl({ name: melody.audioUrl, copies: melody.audioCopies }) };
  };

/** Creates a mark player for one recording (see {@link createMarkPlayer}), and lets Space stop it. */
export function useMarkPlayer() {
  const [player] = useState(() => createMarkPlayer());
  const playback = useStore(player);
  useStopOnSpace(playback.sounds !== 'nothing', player.stop);

  return { player, playback };
}
