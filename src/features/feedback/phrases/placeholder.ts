/** Stands for the name of the student who is written to. */
export const NAME_PLACEHOLDER = '{name}';

export type Named = { firstName: string | null; username: string };

/** The first name, or the username where there is none. */
const calledName = ({ firstName, username }: Named) => firstName?.trim() || username;

/** A phrase as it is written to one student. */
export const filledFor = (student: Named, text: string) =>
  text.replaceAll(NAME_PLACEHOLDER, () => calledName(student));

/** Makes what was written to one student fit to be written to another. */
export function withPlaceholder(student: Named) {
  const name = new RegExp(`(?<!${LETTER})${escaped(calledName(student))}(?!${LETTER})`, 'gu');
  return (text: string) => text.replaceAll(name, NAME_PLACEHOLDER);
}

const escaped = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Beside a name, it makes the name a part of a longer word. */
const LETTER = String.raw`[\p{L}\p{M}\p{N}]`;
