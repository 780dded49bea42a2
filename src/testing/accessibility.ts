import type { RunOnly } from 'axe-core';

/** Rules that axe runs. Themes differ only in their colours. */
export type Checked = 'everything' | 'colours';

export const ACCESSIBILITY: Record<Checked, RunOnly> = {
  everything: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  colours: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
};
