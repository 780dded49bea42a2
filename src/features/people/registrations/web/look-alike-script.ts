/**
 * Returns the script of a name whose letters may look like Latin letters: 'Cyrillic' for 'Сара'. Scripts mixed
 * within a word need no check here, because the server rejects such names.
 */
export const findLookAlikeScript = (name: string) =>
  LOOK_ALIKE_SCRIPTS.find((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name)) ?? null;

const LOOK_ALIKE_SCRIPTS = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee'] as const;
