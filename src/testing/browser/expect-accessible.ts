import axe from 'axe-core';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { ACCESSIBILITY_RULES, type AccessibilityRuleSet } from '../accessibility.ts';

// Each theme is checked at only one screen size. Other combinations are not needed, because the themes differ
// only in colours and the sizes only in layout.
const VIEWS = [
  { width: 320, height: 640, theme: 'light' },
  { width: 1440, height: 900, theme: 'dark' },
] as const;

/** Fails if axe finds a violation on the page in its current state. */
export async function expectAccessible(what: string, checked: AccessibilityRuleSet = 'everything') {
  await endTransitions();
  const { violations } = await axe.run(document, {
    ...ACCESSIBILITY_RULES[checked],
    resultTypes: ['violations'],
  });
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  expect(found, what).toEqual([]);
}

/** Fails if the page scrolls sideways. */
export function expectNoHorizontalScroll(what: string) {
  const whole = document.querySelector('.full-screen') ?? document.documentElement;
  expect(whole.scrollWidth, what).toBeLessThanOrEqual(whole.clientWidth);
}

/** Fails if axe finds a violation on the page in its current state, in either theme. */
export async function expectAccessibleInBothThemes(what: string) {
  await expectAccessible(`${what}, light`);
  // Sets the same attribute as the app does when the user picks a theme.
  document.documentElement.dataset['theme'] = 'dark';
  await expectAccessible(`${what}, dark`, 'colours');
  document.documentElement.dataset['theme'] = 'light';
}

/**
 * Fails if axe finds a violation or the page scrolls sideways, on a phone in the light theme or on a desktop
 * in the dark theme.
 */
export async function expectAccessibleWithoutOverflow(what: string) {
  const { innerWidth, innerHeight } = window;
  for (const { width, height, theme } of VIEWS) {
    await page.viewport(width, height);
    document.documentElement.dataset['theme'] = theme;
    const where = `${what}, ${width} px, ${theme}`;
    await expectAccessible(where);
    expectNoHorizontalScroll(where);
  }
  document.documentElement.dataset['theme'] = 'light';
  await page.viewport(innerWidth, innerHeight);
}

/**
 * Fails if any user text takes its direction from the page: if text that contains `sample` is outside
 * `dir="auto"` and `<bdi>`, or if a text field lacks `dir="auto"`.
 */
export function expectAutoDirection(sample: string, what: string) {
  const texts = document.createTreeWalker(
    document.body,
    NodeFilter.SHOW_TEXT,
    ({ nodeValue, parentElement }) =>
      nodeValue?.includes(sample) && !parentElement?.closest('bdi, [dir=auto], option, .sr-only')
        ? NodeFilter.FILTER_ACCEPT
        : NodeFilter.FILTER_SKIP,
  );
  const found: string[] = [];
  while (texts.nextNode()) found.push(texts.currentNode.parentElement!.outerHTML.slice(0, 300));
  const fields = document.querySelectorAll(
    ':is(textarea, input:is([type=text], [type=search])):not([dir=auto])',
  );
  found.push(...[...fields].map(({ outerHTML }) => outerHTML));
  expect(found, what).toEqual([]);
}

/**
 * Finishes all transitions, because a transition off screen may never end by itself. Repeats this, because
 * the end of a transition may start another (of an inherited colour).
 */
async function endTransitions() {
  for (let round = 0; round < 20; round += 1) {
    const under = document.getAnimations().filter((each) => each instanceof CSSTransition);
    if (under.length === 0) return;
    for (const each of under) each.finish();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
