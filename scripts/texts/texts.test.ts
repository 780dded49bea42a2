import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectTexts, extractTexts } from './collect.ts';
import { FIXED_WORDING } from './fixed-wording.ts';

const texts = collectTexts(join(import.meta.dirname, '../..')).map(({ text }) => text);
// A text with a value, such as 'Failed to {…} user', matches every text that it can become. Texts with fewer
// than eight characters besides their values would match too much.
const patterns = texts
  .filter((text) => text.includes('{') && text.replaceAll(/\{[^}]*\}/g, '').trim().length >= 8)
  .map((text) => text.replaceAll(/^\{…\} | \{…\}$/g, ''))
  .map(
    (text) =>
      new RegExp(
        `^${text
          .split(/\{[^}]*\}/)
          .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}$`,
      ),
  );

test.each(FIXED_WORDING)('the source contains the fixed wording “%s”', (wording) => {
  expect(texts.includes(wording) || patterns.some((pattern) => pattern.test(wording))).toBe(true);
});

test('extracts texts, labels and messages, with values replaced by their names', () => {
  const source = `
    import { x } from './not-a-text.ts';
    const message = 'Nothing waiting';
    throw new Error('An internal error');
    const row = (
      <p className="Not shown" aria-label={\`Play \${melody.title}\`}>
        Sent to {teacher} <b>just now</b>.
      </p>
    );`;
  expect(extractTexts('row.tsx', source).map(({ line, text }) => [line, text])).toEqual([
    [3, 'Nothing waiting'],
    [6, 'Sent to {teacher} just now.'],
    [6, 'Play {title}'],
  ]);
});
