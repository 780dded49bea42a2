/**
 * The script of a name whose letters all look Latin, but are not: 'Сара'. A name that mixes scripts is refused on
 * submission.
 */
export const scriptToNotice = (name: string) =>
  ALIKE.find((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(name)) ?? null;

const ALIKE = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee'] as const;
