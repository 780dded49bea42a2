export type BarColours = { played: string; rest: string };

/** A range of the audio, in fractions of its duration (0 to 1). */
type BarRange = { readonly from: number; readonly to: number };

/** A passage with the colours of its background and of its unplayed bars. */
export type DrawnPassage = BarRange & { ground: string; rest: string };

type DrawOptions = {
  passage?: DrawnPassage | null;
  /** The range that is shown; the whole audio by default. */
  view?: BarRange;
  /** Colour of the line at the end of the played part; no line if absent. */
  head?: string;
};

const MAX_BAR_PX = 6;
const HEAD_PX = 2;

/**
 * Draws bars around the vertical centre, snapped to device pixels to stay sharp. Draws `passage` behind them
 * and `head` in front of them.
 */
export function drawBars(
  canvas: HTMLCanvasElement,
  bars: Uint8Array,
  playedFraction: number,
  { played, rest }: BarColours,
  { passage = null, view = { from: 0, to: 1 }, head }: DrawOptions = {},
) {
  const context = canvas.getContext('2d');
  if (!context) return;
  const { width, height } = resizeToScreen(canvas);
  const xOf = (fraction: number) => Math.round(((fraction - view.from) / (view.to - view.from)) * width);
  const pitch = width / (view.to - view.from) / bars.length;
  const inMiddle = (index: number) => (index + 0.5) / bars.length;
  const thickness = Math.max(1, Math.min(Math.floor(pitch * 0.62), MAX_BAR_PX * devicePixelRatio));
  context.clearRect(0, 0, width, height);
  if (passage) {
    context.fillStyle = passage.ground;
    context.fillRect(xOf(passage.from), 0, Math.max(1, xOf(passage.to) - xOf(passage.from)), height);
  }
  bars.forEach((bar, index) => {
    const isPlayed = index / bars.length < playedFraction;
    const isInPassage = passage && inMiddle(index) >= passage.from && inMiddle(index) <= passage.to;
    const length = Math.max(2 * thickness, Math.round((bar / 255) * height));
    context.fillStyle = isPlayed ? played : isInPassage ? passage.rest : rest;
    context.fillRect(xOf(index / bars.length), Math.round((height - length) / 2), thickness, length);
  });
  if (!head) return;
  const line = HEAD_PX * devicePixelRatio;
  context.fillStyle = head;
  context.fillRect(Math.min(width - line, Math.max(0, xOf(playedFraction) - line / 2)), 0, line, height);
}

/** Returns the colours of a waveform. A placeholder is grey, because it doesn't show real audio. */
export const getWaveformColours = (canvas: Element, isReal: boolean): BarColours => ({
  played: getThemeColour(canvas, isReal ? 'action' : 'soft'),
  rest: getThemeColour(canvas, isReal ? 'bars' : 'edge'),
});

/** Returns a colour of the current theme by its name in tokens.css, such as 'action'. */
export const getThemeColour = (element: Element, token: string) =>
  getComputedStyle(element).getPropertyValue(`--${token}`).trim();

/**
 * Calls `draw` when the canvas is resized, and when the theme or forced-colors mode changes.
 * @returns a function that stops listening
 */
export function redrawOnResizeOrThemeChange(canvas: HTMLCanvasElement, draw: () => void): () => void {
  const size = new ResizeObserver(draw);
  const theme = new MutationObserver(draw);
  size.observe(canvas);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const forced = matchMedia('(forced-colors: active)');
  forced.addEventListener('change', draw);
  return () => {
    forced.removeEventListener('change', draw);
    size.disconnect();
    theme.disconnect();
  };
}

function resizeToScreen(canvas: HTMLCanvasElement) {
  const width = Math.round(canvas.clientWidth * devicePixelRatio);
  const height = Math.round(canvas.clientHeight * devicePixelRatio);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  return { width, height };
}
