import type { PracticePlayer } from './engine/practice-player.ts';

/**
 * Calls `draw` on every frame while the position moves, and otherwise on each change. For drawing outside
 * React, which would otherwise re-render on every frame. Returns a function that stops the calls.
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
