import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { ACCESSIBILITY_RULES } from '#testing/accessibility.ts';
import { expect } from './fixtures.ts';

const VIEWS = [
  { width: 320, height: 640, theme: 'light' },
  { width: 1440, height: 900, theme: 'dark' },
] as const;

/** Checks that the page in its current state passes axe and does not scroll sideways, in each of VIEWS. */
export async function expectAccessibleWithoutOverflow(page: Page, what: string) {
  for (const { width, height, theme } of VIEWS) {
    await page.setViewportSize({ width, height });
    const where = `${what}, ${width} px, ${theme}`;
    await expectAccessibleIn(page, theme, where);
    const { content, room } = await page.evaluate(() => {
      const whole = document.querySelector('.full-screen') ?? document.documentElement;
      return { content: whole.scrollWidth, room: whole.clientWidth };
    });
    expect(content, where).toBeLessThanOrEqual(room);
  }
}

/** Checks the page with axe in both themes at its current size; does not check scrolling. */
export async function expectAccessibleInBothThemes(page: Page, what: string) {
  for (const theme of ['light', 'dark'] as const) await expectAccessibleIn(page, theme, `${what}, ${theme}`);
}

async function expectAccessibleIn(page: Page, theme: 'light' | 'dark', what: string) {
  // Sets the theme as the page does when the user picks a theme.
  await page.evaluate((chosen) => void (document.documentElement.dataset['theme'] = chosen), theme);
  await page.evaluate(endTransitions);
  // Loads axe, but only once per document, because it is large. `evaluate` bypasses the page's Content
  // Security Policy.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async (options) => {
      const { axe: checker } = window as unknown as { axe: typeof axe };
      const found = await checker.run(document, { ...options, resultTypes: ['violations'] });
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
    },
    ACCESSIBILITY_RULES[theme === 'light' ? 'everything' : 'colours'],
  );
  expect(violations, what).toEqual([]);
}

/**
 * Finishes all transitions instead of waiting for them, because an off-screen transition may never end by
 * itself. Repeats this, because finishing one transition may start another, for example of a colour that
 * depends on the first.
 */
async function endTransitions() {
  for (let round = 0; round < 20; round += 1) {
    const under = document.getAnimations().filter((each) => each instanceof CSSTransition);
    if (under.length === 0) return;
    for (const each of under) each.finish();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
