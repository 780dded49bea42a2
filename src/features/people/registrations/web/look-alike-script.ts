/**
 * Returns a script in the name whose letters may look like Latin letters ('Cyrillic' for 'Сара'), or null.
 * Does not check for scripts mixed within a word, because the server rejects such names.
 */
export const findLookAlikeScript = (name: string) =>
  LOOK_ALIKE_SCRIPTS.find((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name)) ?? null;

const LOOK_ALIKE_SCRIPTS = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee'] as const;
