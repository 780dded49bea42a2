/** All animation here takes less than 200 ms; the browser's own smooth scrolling takes longer. */
const DURATION_MS = 180;

/** The browser features that `glide` needs; tests pass their own. */
export type GlideEnvironment = {
  wantsMotion(): boolean;
  now(): number;
  /** Calls `action` at the next frame; returns a function that cancels it. */
  atFrame(action: () => void): () => void;
};

/**
 * Scrolls by this many pixels, animated so that the reader sees where the text went, or at once if reduced motion is
 * preferred. Returns a function that stops it early.
 */
export function glide(scroller: { scrollTop: number }, by: number, environment = inBrowser): () => void {
  const [from, begun] = [scroller.scrollTop, environment.now()];
  let cancel = () => {};
  const go = () => {
    const fraction = environment.wantsMotion() ? Math.min(1, (environment.now() - begun) / DURATION_MS) : 1;
    scroller.scrollTop = from + by * (1 - (1 - fraction) ** 3);
    if (fraction < 1) cancel = environment.atFrame(go);
  };
  go();
  return () => cancel();
}

const inBrowser: GlideEnvironment = {
  wantsMotion: () => !matchMedia('(prefers-reduced-motion: reduce)').matches,
  now: () => performance.now(),
  atFrame(action) {
    const frame = requestAnimationFrame(action);
    return () => cancelAnimationFrame(frame);
  },
};
