const WORDS = [
  'First',
  'Second',
  'Third',
  'Fourth',
  'Fifth',
  'Sixth',
  'Seventh',
  'Eighth',
  'Ninth',
  'Tenth',
] as const;

/** 'Third attempt', '21st attempt'. */
export const attemptName = (attempt: number) => `${WORDS[attempt - 1] ?? ordinal(attempt)} attempt`;

export function ordinal(count: number) {
  const isTeen = Math.floor(count / 10) % 10 === 1;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${ending}`;
}
