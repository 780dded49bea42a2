import type { RunOptions } from 'axe-core';

/**
 * Sets of rules that axe runs. A page that passed 'everything' in one theme needs only 'colours' in the
 * other, because the themes differ only in their colours.
 */
export type AccessibilityRuleSet = 'everything' | 'colours';

// Enables the AAA rule for contrast (7:1), which axe runs only if it is named. Does not check that controls
// are 44 px wide and high (also AAA), because axe's own rule for target sizes requires less. The layout
// journey checks that.
export const ACCESSIBILITY_RULES: Record<AccessibilityRuleSet, RunOptions> = {
  everything: {
    runOnly: {
      type: 'tag',
      values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    },
    rules: { 'color-contrast-enhanced': { enabled: true } },
  },
  colours: {
    runOnly: { type: 'rule', values: ['color-contrast', 'color-contrast-enhanced', 'link-in-text-block'] },
  },
};
