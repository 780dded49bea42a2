import { useEffect } from 'react';
import { notePractised } from './engine/practice.ts';
import type { PracticePlayer } from './engine/practice-player.ts';
import { useUser } from '#web/api/session.ts';
import { type Passage, placeAt } from '#features/lyrics/timings.ts';

/** Notes on this device what is practised, at which line and how fast, from the first sound to the last. */
export function useNotedPractice(
  player: PracticePlayer | null,
  melodyId: number,
  passages: readonly Passage[],
) {
  const userId = useUser().id;
  useEffect(() => {
    if (!player) return;
    let noted: { line: number | null; rate: number } | null = null;
    const note = () => {
      if (player.snapshot().phase !== 'playing') return;
      const { rate } = player.snapshot();
      const line = passages[placeAt(passages, player.position())]?.index ?? null;
      if (noted?.line === line && noted.rate === rate) return;
      noted = { line, rate };
      notePractised(userId, { melodyId, ...noted });
    };
    const leave = player.subscribeToTime(note);
    return () => {
      leave();
      // One line may be practised for an hour.
      if (noted) notePractised(userId, { melodyId, ...noted });
    };
  }, [player, melodyId, passages, userId]);
}
