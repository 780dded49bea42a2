/** Placeholder for the student's name. */
export const NAME_PLACEHOLDER = '{name}';

export type StudentNameFields = { firstName: string | null; username: string };

/** Returns the first name, or the username if there is none. */
const getShortName = ({ firstName, username }: StudentNameFields) => firstName?.trim() || username;

/** Replaces the placeholder with the student's name. */
export const fillPlaceholder = (student: StudentNameFields, text: string) =>
  text.replaceAll(NAME_PLACEHOLDER, () => getShortName(student));

/**
 * Returns a function that replaces the student's name with the placeholder, so that the text fits other
 * students.
 */
export function createNameReplacer(student: StudentNameFields) {
  const name = new RegExp(
    `(?<!${WORD_CHARACTER})${escapeRegExp(getShortName(student))}(?!${WORD_CHARACTER})`,
    'gu',
  );
  return (text: string) => text.replaceAll(name, NAME_PLACEHOLDER);
}

const escapeRegExp = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/**
 * Pattern for a word character. A name directly before or after such a character is part of a longer word.
 */
const WORD_CHARACTER = String.raw`[\p{L}\p{M}\p{N}]`;
