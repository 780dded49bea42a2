import type { PracticePlayer } from '../../../../platform/web/player/practice-player.ts';

/**
 * Calls `draw` frame by frame while something moves, else when something changed; answers how to end that.
 * What moves with the sound is drawn so: through React it would cost a rendering each frame.
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
