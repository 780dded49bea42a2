import { expect, test } from 'vitest';
import {
  isWholeView,
  moveViewTo,
  toViewFraction,
  createViewAroundLoop,
  getWholeView,
  zoomView,
} from './waveform-view.ts';

test('zooming to the loop shows half the loop’s length on either side', () => {
  expect(createViewAroundLoop({ a: 20, b: 30 }, 100)).toEqual({ from: 15, to: 35 });
  expect(createViewAroundLoop({ a: 0, b: 10 }, 100)).toEqual({ from: 0, to: 20 });
  expect(createViewAroundLoop({ a: 95, b: 100 }, 100)).toEqual({ from: 90, to: 100 });
  expect(createViewAroundLoop({ a: 50, b: 50.1 }, 100)).toEqual({ from: 49.05, to: 51.05 });
});

test('zooms around a fixed point, down to two seconds and up to the whole melody', () => {
  const closer = zoomView(getWholeView(100), 2, 25, 100);
  expect(closer).toEqual({ from: 12.5, to: 62.5 });
  expect(toViewFraction(closer, 25)).toBe(0.25);
  expect(isWholeView(zoomView(closer, 0.1, 25, 100), 100)).toBe(true);
  const closest = zoomView(closer, 1_000, 25, 100);
  expect(closest.to - closest.from).toBe(2);
  expect(zoomView(getWholeView(1), 4, 0.5, 1)).toEqual(getWholeView(1));
});

test('the view moves to keep the position visible', () => {
  const view = { from: 10, to: 20 };
  expect(moveViewTo(view, 15, 100)).toBe(view);
  expect(moveViewTo(view, 40, 100)).toEqual({ from: 35, to: 45 });
  expect(moveViewTo(view, 99, 100)).toEqual({ from: 90, to: 100 });
});
