import type { PlayerSnapshot } from './engine/practice-player.ts';

/** The part of the player that is needed to count rounds. */
export type RoundSource = {
  snapshot(): Pick<PlayerSnapshot, 'loop' | 'round' | 'isDone'>;
  subscribe(listener: () => void): () => void;
};

/**
 * Calls `onRoundEnd` each time the melody or a round of the loop ends. A round includes the student's turn
 * after the passage.
 * @returns a function that unsubscribes
 */
export function subscribeToRounds(
  player: RoundSource,
  audio: EventTarget,
  onRoundEnd: () => void,
): () => void {
  let last = player.snapshot();
  const leave = player.subscribe(() => {
    const before = last;
    const now = (last = player.snapshot());
    if (now.loop.kind !== 'active' || now.loop !== before.loop) return;
    if (now.round === before.round + 1 || (now.isDone && !before.isDone)) onRoundEnd();
  });
  // Ignores `ended` while a loop is active, because the subscription above counts its rounds. A loop that
  // reaches the end of the melody fires `ended` too.
  const end = () => {
    if (player.snapshot().loop.kind !== 'active') onRoundEnd();
  };
  audio.addEventListener('ended', end);
  return () => {
    leave();
    audio.removeEventListener('ended', end);
  };
}
