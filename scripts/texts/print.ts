// Writes texts.md: all texts that people read, grouped by screen, for review and translation.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectTexts, type SourceText } from './collect.ts';

const root = join(import.meta.dirname, '../..');
const OUTPUT = 'texts.md';

const texts = collectTexts(root);
const groups = Map.groupBy(texts, ({ file }) => groupOf(file));
const sections = [...groups].sort(([a], [b]) => a.localeCompare(b)).map(([name, of]) => sectionOf(name, of));
writeFileSync(join(root, OUTPUT), `# Texts\n\n${sections.join('\n')}`);
process.stdout.write(`${texts.length} texts in ${OUTPUT}\n`);

/**
 * Returns the heading for a file's texts: its screen, the emails or server messages of its feature, or the
 * console.
 */
function groupOf(file: string): string {
  const [, area = '', ...rest] = file.split('/');
  if (area === 'cli' || area === 'main.ts' || file.startsWith('src/main')) return 'Console';
  if (area !== 'features') return `${area}: ${rest.slice(0, -1).join(', ') || 'general'}`;
  const [feature = '', ...path] = rest;
  if (/emails?\b/.test(path.at(-1) ?? '')) return `${feature}: emails`;
  if (path.includes('server') || !path.includes('web')) return `${feature}: messages of the server`;
  return `${feature}: ${
    path
      .slice(0, -1)
      .filter((folder) => folder !== 'web')
      .join(', ') || 'general'
  }`;
}

function sectionOf(name: string, of: SourceText[]): string {
  const files = Map.groupBy(of, ({ file }) => file);
  const lists = [...files].map(([file, inFile]) => {
    const unique = new Set(inFile.map(({ text }) => text.replaceAll(/\s*\n\s*/g, ' / ')));
    return `\`${file}\`\n\n${[...unique].map((text) => `- ${text}`).join('\n')}\n`;
  });
  return `## ${name}\n\n${lists.join('\n')}`;
}
