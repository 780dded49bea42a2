import type { RunOnly } from 'axe-core';

/** What the accessibility checker looks for. A theme changes nothing but colours. */
export type Checked = 'everything' | 'colours';

export const ACCESSIBILITY: Record<Checked, RunOnly> = {
  everything: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};
