/** Maximum length of a username, not counting the number that makes it unique. */
const MAX_STEM_LENGTH = 60;

/**
 * Derives a username from an email: its local part in lower case, with only the letters a to z, digits and,
 * except at the ends, '.', '-' and '_'. Keeps at most MAX_STEM_LENGTH characters. Accents are removed:
 * 'José@…' becomes 'jose'. Returns 'student' if no characters remain.
 */
export function toUsernameStem(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@'));
  const folded = local.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const stem = folded.replaceAll(/[^a-z0-9._-]/g, '').replace(/^[._-]+/, '');
  return stem.slice(0, MAX_STEM_LENGTH).replace(/[._-]+$/, '') || 'student';
}

/** Returns the stem, or if it is taken, the stem with the lowest free number (2 or higher). */
export function pickFreeUsername(stem: string, taken: ReadonlySet<string>): string {
  if (!taken.has(stem)) return stem;
  let number = 2;
  while (taken.has(`${stem}${number}`)) number += 1;
  return `${stem}${number}`;
}
