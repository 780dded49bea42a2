import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drawBars } from './draw-bars.ts';

beforeEach(() => vi.stubGlobal('devicePixelRatio', 2));
afterEach(() => vi.unstubAllGlobals());

const colours = { played: 'maroon', rest: 'grey' };
const bars = Uint8Array.of(255, 0, 128, 64);

test('draws each bar vertically centred, with a height proportional to its loudness', () => {
  const { canvas, drawn } = paper();
  drawBars(canvas, bars, 0, colours);
  expect([canvas.width, canvas.height]).toEqual([80, 200]);
  expect(drawn.map(({ height }) => height)).toEqual([200, 24, 100, 50]);
  for (const { y, height } of drawn) expect(y + height / 2).toBe(100);
});

test('draws the bars of the played part in a different colour', () => {
  const { canvas, drawn } = paper();
  drawBars(canvas, bars, 0.5, colours);
  expect(drawn.map(({ colour }) => colour)).toEqual(['maroon', 'maroon', 'grey', 'grey']);
});

test('a passage has a background, and a different colour for its unplayed bars', () => {
  const { canvas, drawn } = paper();
  drawBars(canvas, bars, 0, colours, {
    passage: { from: 0.25, to: 0.75, ground: 'sand', rest: 'saffron' },
  });
  expect(drawn[0]).toMatchObject({ colour: 'sand', x: 20, width: 40, height: 200 });
  expect(drawn.slice(1).map(({ colour }) => colour)).toEqual(['grey', 'saffron', 'saffron', 'grey']);
});

test('a zoomed view fills the whole width and has a line at the current position', () => {
  const { canvas, drawn } = paper();
  drawBars(canvas, bars, 0.5, colours, { view: { from: 0.25, to: 0.75 }, head: 'ink' });
  expect(drawn.map(({ x }) => x)).toEqual([-40, 0, 40, 80, 38]);
  expect(drawn.at(-1)).toMatchObject({ colour: 'ink', width: 4, height: 200 });
  // Zooming in moves the bars apart but does not widen them beyond their maximum.
  expect(drawn[1]!.width).toBe(12);
});

type Drawn = { colour: string; x: number; y: number; width: number; height: number };

/** Creates a canvas of 40 × 100 CSS pixels, on a screen with two device pixels per CSS pixel. */
function paper() {
  const drawn: Drawn[] = [];
  const context = {
    fillStyle: '',
    clearRect() {},
    fillRect(x: number, y: number, width: number, height: number) {
      drawn.push({ colour: context.fillStyle, x, y, width, height });
    },
  };
  const canvas = { clientWidth: 40, clientHeight: 100, width: 0, height: 0, getContext: () => context };
  return { canvas: canvas as unknown as HTMLCanvasElement, drawn };
}
