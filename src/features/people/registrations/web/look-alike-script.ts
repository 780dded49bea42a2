/**
 * Returns the script of a name if its letters may look like Latin ones: 'Сара'. A name that mixes scripts is
 * rejected on submission.
 */
export const findLookAlikeScript = (name: string) =>
  LOOK_ALIKE_SCRIPTS.find((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name)) ?? null;

const LOOK_ALIKE_SCRIPTS = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee'] as const;
