const ORDINALS = [
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

/** Formats the number of an attempt: 'Third recording', '21st recording'. */
export const formatAttemptName = (attempt: number) =>
  `${ORDINALS[attempt - 1] ?? formatOrdinal(attempt)} recording`;

export function formatOrdinal(count: number) {
  const isTeen = Math.floor(count / 10) % 10 === 1;
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th');
  return `${count}${ending}`;
}
