/**
 * The oldest supported browsers. The build compiles syntax for them, `scripts/browsers` rejects features they
 * lack, and both the page for older browsers and the README name them.
 */
export const OLDEST_BROWSERS = {
  safari: '16.4',
  ios: '16.4',
  chrome: '111',
  edge: '111',
  firefox: '114',
} as const;
