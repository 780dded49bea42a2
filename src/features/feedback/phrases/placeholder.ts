/** Placeholder for the student's name. */
export const NAME_PLACEHOLDER = '{name}';

export type Named = { firstName: string | null; username: string };

/** Returns the first name, or the username if there is none. */
const calledName = ({ firstName, username }: Named) => firstName?.trim() || username;

/** Replaces the placeholder with the student's name. */
export const filledFor = (student: Named, text: string) =>
  text.replaceAll(NAME_PLACEHOLDER, () => calledName(student));

/** Returns a function that replaces the student's name with the placeholder, so that the text can be reused. */
export function withPlaceholder(student: Named) {
  const name = new RegExp(`(?<!${LETTER})${escaped(calledName(student))}(?!${LETTER})`, 'gu');
  return (text: string) => text.replaceAll(name, NAME_PLACEHOLDER);
}

const escaped = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Character that, next to a name, makes the name part of a longer word. */
const LETTER = String.raw`[\p{L}\p{M}\p{N}]`;
