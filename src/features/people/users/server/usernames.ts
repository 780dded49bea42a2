/** The longest stem; the unique suffix comes after it. */
const STEM_MAX = 60;

/**
 * Derives a username from an email: its local part, lower case, letters, digits, '.', '-' and '_' only, never '@', so
 * that a username can't be mistaken for somebody's address. Accents are folded: 'José@…' is 'jose'.
 */
export function usernameStem(email: string): string {
  const local = email.slice(0, email.lastIndexOf('@'));
  const folded = local.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const stem = folded.replaceAll(/[^a-z0-9._-]/g, '').replaceAll(/^[._-]+|[._-]+$/g, '');
  return stem.slice(0, STEM_MAX) || 'student';
}

/** The stem itself, or the stem with the lowest free number from 2. */
export function freeUsername(stem: string, taken: ReadonlySet<string>): string {
  if (!taken.has(stem)) return stem;
  let number = 2;
  while (taken.has(`${stem}${number}`)) number += 1;
  return `${stem}${number}`;
}
