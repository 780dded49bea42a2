export type BarColours = { played: string; rest: string; restOpacity: number };

/** Draws bars about the middle line, snapped to the screen's own pixels so that none is blurred. */
export function drawBars(
  canvas: HTMLCanvasElement,
  bars: Uint8Array,
  playedFraction: number,
  { played, rest, restOpacity }: BarColours,
) {
  const context = canvas.getContext('2d');
  if (!context) return;
  const { width, height } = sizeToScreen(canvas);
  const pitch = width / bars.length;
  const thickness = Math.max(1, Math.floor(pitch * 0.62));
  context.clearRect(0, 0, width, height);
  bars.forEach((bar, index) => {
    const isPlayed = index / bars.length < playedFraction;
    const length = Math.max(2 * thickness, Math.round((bar / 255) * height));
    context.globalAlpha = isPlayed ? 1 : restOpacity;
    context.fillStyle = isPlayed ? played : rest;
    context.fillRect(Math.round(index * pitch), Math.round((height - length) / 2), thickness, length);
  });
}

/** A colour of the present theme: 'action', 'edge', … as tokens.css names them. */
export const tokenColour = (element: Element, token: string) =>
  getComputedStyle(element).getPropertyValue(`--${token}`).trim();

/** Calls `draw` when the canvas changes its size or the theme its colours; answers how to end that. */
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
