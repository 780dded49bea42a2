/**
 * Duration of the animation. Like all transitions in the app, it takes less than 200 ms. The browser's own
 * smooth scrolling takes longer.
 */
const DURATION_MS = 180;

/** The browser features that `scrollSmoothly` needs. Tests pass fakes. */
export type ScrollEnvironment = {
  wantsMotion(): boolean;
  now(): number;
  /** Calls `action` at the next frame. Returns a function that cancels the call. */
  atFrame(action: () => void): () => void;
};

/**
 * Scrolls by `by` pixels, with an animation that shows the reader where the text went. If the user prefers
 * reduced motion, scrolls immediately.
 * @returns a function that stops the animation early
 */
export function scrollSmoothly(
  scroller: { scrollTop: number },
  by: number,
  environment = inBrowser,
): () => void {
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

const inBrowser: ScrollEnvironment = {
  wantsMotion: () => !matchMedia('(prefers-reduced-motion: reduce)').matches,
  now: () => performance.now(),
  atFrame(action) {
    const frame = requestAnimationFrame(action);
    return () => cancelAnimationFrame(frame);
  },
};
