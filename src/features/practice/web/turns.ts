import type { PlayerSnapshot } from './engine/practice-player.ts';

/** What of the player tells that something was sung to its end. */
export type TurnSource = {
  snapshot(): Pick<PlayerSnapshot, 'loop' | 'round' | 'isDone'>;
  subscribe(listener: () => void): () => void;
};

/**
 * Calls back once for each time that the melody has come to its end, or its loop to B, with the student's turn after
 * it. @returns ends it
 */
export function countTurns(player: TurnSource, audio: EventTarget, onTurn: () => void): () => void {
  let last = player.snapshot();
  const leave = player.subscribe(() => {
    const before = last;
    const now = (last = player.snapshot());
    if (now.loop.kind !== 'active' || now.loop !== before.loop) return;
    if (now.round === before.round + 1 || (now.isDone && !before.isDone)) onTurn();
  });
  // The end of a loop is told by its rounds, also where it is the end of the melody.
  const end = () => {
    if (player.snapshot().loop.kind !== 'active') onTurn();
  };
  audio.addEventListener('ended', end);
  return () => {
    leave();
    audio.removeEventListener('ended', end);
  };
}
