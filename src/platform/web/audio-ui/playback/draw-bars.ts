export type BarColours = { played: string; rest: string; restOpacity: number };

/** A passage, in fractions of the whole (0 to 1), with its own background and its own colour for unplayed bars. */
export type DrawnPassage = { from: number; to: number; ground: string; rest: string };

/** Draws bars around the vertical centre, snapped to device pixels so that none is blurred. */
export function drawBars(
  canvas: HTMLCanvasElement,
  bars: Uint8Array,
  playedFraction: number,
  { played, rest, restOpacity }: BarColours,
  passage?: DrawnPassage | null,
) {
  const context = canvas.getContext('2d');
  if (!context) return;
  const { width, height } = sizeToScreen(canvas);
  const pitch = width / bars.length;
  const inMiddle = (index: number) => (index + 0.5) / bars.length;
  const thickness = Math.max(1, Math.floor(pitch * 0.62));
  context.clearRect(0, 0, width, height);
  if (passage) {
    context.globalAlpha = 1;
    context.fillStyle = passage.ground;
    const from = Math.round(passage.from * width);
    context.fillRect(from, 0, Math.max(1, Math.round(passage.to * width) - from), height);
  }
  bars.forEach((bar, index) => {
    const isPlayed = index / bars.length < playedFraction;
    const isInPassage = passage && inMiddle(index) >= passage.from && inMiddle(index) <= passage.to;
    const length = Math.max(2 * thickness, Math.round((bar / 255) * height));
    context.globalAlpha = isPlayed || isInPassage ? 1 : restOpacity;
    context.fillStyle = isPlayed ? played : isInPassage ? passage.rest : rest;
    context.fillRect(Math.round(index * pitch), Math.round((height - length) / 2), thickness, length);
  });
}

/** A colour of the current theme: 'action', 'edge', … as tokens.css names them. */
export const tokenColour = (element: Element, token: string) =>
  getComputedStyle(element).getPropertyValue(`--${token}`).trim();

/** Calls `draw` when the canvas is resized or the theme changes. @returns a function that ends this */
export function redrawWhenNeeded(canvas: HTMLCanvasElement, draw: () => void): () => void {
  const size = new ResizeObserver(draw);
  const theme = new MutationObserver(draw);
  size.observe(canvas);
  theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    size.disconnect();
    theme.disconnect();
  };
}

function sizeToScreen(canvas: HTMLCanvasElement) {
  const width = Math.round(canvas.clientWidth * devicePixelRatio);
  const height = Math.round(canvas.clientHeight * devicePixelRatio);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  return { width, height };
}
