/**
 * The script of a name that may pass for a Latin one letter by letter: 'Сара' is no Latin word. A word of both is
 * refused when it is sent.
 */
export const scriptToNotice = (name: string) =>
  ALIKE.find((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name)) ?? null;

const ALIKE = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee'] as const;
