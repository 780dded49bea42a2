import type { PracticePlayer } from './engine/practice-player.ts';

/**
 * Calls `draw` at every frame while something moves, and otherwise at each change; returns a function that ends this.
 * For what moves with the sound: through React, it would cost a render per frame.
 */
export function followFrames(player: PracticePlayer, draw: () => void): () => void {
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
