/**
 * The oldest browsers that the pages run in. The build lowers syntax to them, `scripts/browsers` refuses what they lack,
 * the page for still older ones names them, and so does the README.
 */
export const OLDEST_BROWSERS = {
  safari: '16.4',
  ios: '16.4',
  chrome: '111',
  edge: '111',
  firefox: '114',
} as const;
