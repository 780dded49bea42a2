import { useState } from 'react';
import { stepSpeed } from '../../../../../platform/web/audio-ui/playback/speed.tsx';
import { togglePlayback } from '../../../../../platform/web/audio-ui/playback/use-playback.ts';
import { moveTo } from '../../../../../platform/web/audio/passage.ts';
import { apiQuery, queryClient } from '../../../../../platform/web/query-client.ts';
import type { Recording } from '../../../../recordings/contract.ts';
import type { Mark } from '../../../contract.ts';
import { besideLine, suggestedAt, timedLinesOf } from '../../marks/mark-lines.ts';
import { libraryLine, useMarkPlayer } from '../../marks/use-mark-player.ts';
import type { Command } from '../keys/shortcuts.ts';

const SKIP_SECONDS = 3;

export type Listening = ReturnType<typeof useListening>;

/** Moving about in a recording, and hearing the same line of its melody. Give `takeAudio` to its player. */
export function useListening({ melodyId }: Recording, marks: readonly Mark[]) {
  const { player, heard } = useMarkPlayer();
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  const [takeAudio] = useState(() => (element: HTMLAudioElement | null) => {
    player.take(element);
    setAudio(element);
  });

  const skip = (direction: 1 | -1) => {
    if (audio) moveTo(audio, audio.currentTime + direction * SKIP_SECONDS);
  };
  const toLine = async (step: 1 | -1) => {
    if (!audio || melodyId === null) return;
    const melody = await queryClient
      .ensureQueryData(apiQuery('GET /api/melodies/{id}', { params: { id: melodyId } }))
      .catch(() => null);
    const to = melody && besideLine(audio.currentTime, step, marks, timedLinesOf(melody));
    if (to !== null) moveTo(audio, to);
  };
  const hearMelody = () => {
    if (!audio || melodyId === null) return;
    player.hear(suggestedAt({ start: audio.currentTime }, marks), libraryLine(melodyId));
  };

  return {
    audio,
    takeAudio,
    isMelodyOn: heard.sounds !== 'nothing',
    skip,
    hearMelody,
    /** Carries out the commands of listening; the others are left alone. */
    run(command: Command) {
      if (command === 'play' && audio) togglePlayback(audio);
      if (command === 'back') skip(-1);
      if (command === 'forward') skip(1);
      if (command === 'slower') stepSpeed(-1);
      if (command === 'quicker') stepSpeed(1);
      if (command === 'line before') void toLine(-1);
      if (command === 'next line') void toLine(1);
      if (command === 'melody') hearMelody();
    },
  };
}
