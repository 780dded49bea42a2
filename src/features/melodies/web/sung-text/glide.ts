/** All motion here lasts less than 200 ms; a browser's own smooth scrolling takes its time. */
const LASTS_MS = 180;

/** What it needs of a browser; tests give one of their own. */
export type GlideEnvironment = {
  wantsMotion(): boolean;
  now(): number;
  /** Calls at the next frame; answers how to call it off. */
  atFrame(action: () => void): () => void;
};

/** Scrolls so far that one sees where the text went, or at once for who wants no motion. Answers how to end it early. */
export function glide(scroller: { scrollTop: number }, by: number, environment = inBrowser): () => void {
  const [from, begun] = [scroller.scrollTop, environment.now()];
  let callOff = () => {};
  const go = () => {
    const fraction = environment.wantsMotion() ? Math.min(1, (environment.now() - begun) / LASTS_MS) : 1;
    scroller.scrollTop = from + by * (1 - (1 - fraction) ** 3);
    if (fraction < 1) callOff = environment.atFrame(go);
  };
  go();
  return () => callOff();
}

const inBrowser: GlideEnvironment = {
  wantsMotion: () => !matchMedia('(prefers-reduced-motion: reduce)').matches,
  now: () => performance.now(),
  atFrame(action) {
    const frame = requestAnimationFrame(action);
    return () => cancelAnimationFrame(frame);
  },
};
