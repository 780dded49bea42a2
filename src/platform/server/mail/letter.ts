/** A piece of a letter: a paragraph, a list of named values to copy, or the one thing to press. */
export type LetterPart =
  | { paragraph: string }
  | { values: readonly (readonly [name: string, value: string])[] }
  | { button: string; href: string };

export type Letter = { greeting: string; parts: readonly LetterPart[]; closing: string };

/**
 * One letter as plain text and as simple HTML that says the same. Everything in it is text: whatever a person typed
 * is escaped here.
 * @param appName stands above the letter
 */
export function composeLetter(letter: Letter, appName: string): { text: string; html: string } {
  return { text: asText(letter), html: asHtml(letter, appName) };
}

function asText({ greeting, parts, closing }: Letter): string {
  const body = parts.map((part) => {
    if ('paragraph' in part) return part.paragraph;
    if ('values' in part) return part.values.map(([name, value]) => `  ${name}: ${value}`).join('\n');
    return `${part.button}:\n${part.href}`;
  });
  return `${[greeting, ...body, closing].join('\n\n')}\n`;
}

function asHtml({ greeting, parts, closing }: Letter, appName: string): string {
  const body = parts.map((part) => {
    if ('paragraph' in part) return `<p>${escapeHtml(part.paragraph)}</p>`;
    if ('values' in part) {
      const rows = part.values.map(
        ([name, value]) => `<tr><td>${escapeHtml(name)}</td><td><b>${escapeHtml(value)}</b></td></tr>`,
      );
      return `<table>${rows.join('')}</table>`;
    }
    return `<p><a href="${escapeHtml(part.href)}">${escapeHtml(part.button)}</a></p>`;
  });
  return `<!doctype html><html lang="en"><body><h1>${escapeHtml(appName)}</h1><p>${escapeHtml(greeting)}</p>${body.join('')}<p>${escapeHtml(closing)}</p></body></html>`;
}

const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
