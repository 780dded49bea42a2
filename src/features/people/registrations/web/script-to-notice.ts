/**
 * Returns the script of a name if its letters may look like Latin ones: 'Сара'. A name that mixes scripts is
 * refused on submission.
 */
export const scriptToNotice = (name: string) =>
  ALIKE.find((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name)) ?? null;

const ALIKE = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee'] as const;
