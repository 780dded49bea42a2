import type { PracticePlayer } from './engine/practice-player.ts';

/**
 * Calls `draw` on every animation frame during playback and the student's turn, and on each change of the
 * player. It is for drawing outside React, because React would have to re-render on every frame.
 * @returns a function that stops the calls
 */
export function drawEachFrame(player: PracticePlayer, draw: () => void): () => void {
  let frame = 0;
  const go = () => {
    cancelAnimationFrame(frame);
    draw();
    const { phase } = player.snapshot();
    if (phase === 'playing' || phase === 'gap') frame = requestAnimationFrame(go);
  };
  const leave = player.subscribe(go);
  go();
  return () => {
    leave();
    cancelAnimationFrame(frame);
  };
}
