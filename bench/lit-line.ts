import type { Page } from '@playwright/test';
import { litDelays, setRate } from '../e2e/player.ts';

/** How long after a line begins it may be until it is lit, in milliseconds. */
export const LIT_WITHIN_MS = 200;

export type LitLine = { rate: number; median: number; worst: number; count: number };

/**
 * Measures how late the lines of an open player light up, at half the speed and at the whole. The melody's text has
 * to be timed; `starts` are those of all its lines in order, in seconds.
 */
export async function measureLitLines(page: Page, starts: number[]): Promise<LitLine[]> {
  const results: LitLine[] = [];
  for (const rate of [0.5, 1]) {
    await page.locator('.sung-text li button').first().click();
    await setRate(page, rate);
    const delays = (await litDelays(page, starts, starts.at(-1)! + 0.3)).map(({ delay }) => Math.abs(delay));
    const sorted = delays.toSorted((a, b) => a - b);
    results.push({
      rate,
      median: sorted[Math.floor(sorted.length / 2)] ?? NaN,
      worst: sorted.at(-1) ?? NaN,
      count: sorted.length,
    });
  }
  return results;
}
