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

/** 'Third recording', '21st recording'. */
export const attemptName = (attempt: number) => `${WORDS[attempt - 1] ?? ordinal(attempt)} recording`;

export function ordinal(count: number) {
  const isTeen = Math.floor(count / 10) % 10 === 1;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${ending}`;
}
