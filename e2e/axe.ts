import type { Page } from '@playwright/test';
import axe from 'axe-core';
import { ACCESSIBILITY, type Checked } from '#testing/accessibility.ts';
import { expect } from './fixtures.ts';

/** Fails with what an accessibility checker finds on the page as it stands. */
export async function expectAccessible(page: Page, what: string, checked: Checked = 'everything') {
  // Through the protocol, past the page's own policy; once for each document, as it is large.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (runOnly) => {
    const { axe: checker } = window as unknown as { axe: typeof axe };
    const found = await checker.run(document, { runOnly, resultTypes: ['violations'] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  }, ACCESSIBILITY[checked]);
  expect(violations, what).toEqual([]);
}

/** Fails when the page can be scrolled sideways. */
export async function expectNoSidewaysScroll(page: Page, what: string) {
  const { content, window: width } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: window.innerWidth,
  }));
  expect(content, what).toBeLessThanOrEqual(width);
}
