import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, posix } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };

const root = join(import.meta.dirname, '..');
const FOLDERS = ['bench', 'chaos', 'deploy', 'docs', 'e2e', 'public', 'scripts', 'src'];
const files = globSync(`{${FOLDERS.join(',')}}/**/*.*`, { cwd: root });
const documents = globSync(['docs/*.md', 'docs/decisions/*.md', 'README.md', 'CONTRIBUTING.md'], {
  cwd: root,
});
const source = files
  .filter((file) => /^(src|bench|chaos|e2e|scripts)\/.*\.(ts|tsx|js)$/.test(file))
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

test.each(documents)('every path named in %s exists', (document) => {
  const missing = itemsOf(document).flatMap(({ line, text }) =>
    pathsIn(text)
      .filter(({ isThere }) => !isThere)
      .map(({ named, from }) => `${document}:${line}: no file ${named}${from && ` (seen from ${from})`}`),
  );
  expect(missing).toEqual([]);
});

test.each(documents)('every name for which %s gives a file occurs in that file', (document) => {
  const missing = itemsOf(document).flatMap(({ line, text }) =>
    [...text.matchAll(/((?:`\w+`(?:, | and )?)+) in `([^`]+)`/g)].flatMap(([, names = '', file = '']) => {
      const where = pathsIn(text).find(({ named }) => named === file)?.at;
      const source = where?.match(/^[^*]+\.\w+$/) ? readFileSync(join(root, where), 'utf8') : null;
      return [...names.matchAll(/`(\w+)`/g)]
        .filter(([, name = '']) => source !== null && !new RegExp(`\\b${name}\\b`).test(source))
        .map(([, name]) => `${document}:${line}: no ${name} in ${where}`);
    }),
  );
  expect(missing).toEqual([]);
});

test.each(documents)('every link in %s points to an existing file and heading', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const missing = [...text.matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].filter(
    ([, link = '', heading = '']) => {
      const file = link === '' ? document : posix.join(dirname(document), link);
      return !isThere(file) || (heading !== '' && !headingsOf(file).includes(heading));
    },
  );
  expect(missing.map(([link]) => link)).toEqual([]);
});

test.each(documents)('every npm script and constant named in %s exists', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const scripts = [...text.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name);
  const constants = [...text.matchAll(/`([A-Z][A-Z\d]*_[A-Z\d_]+)\b/g)].map(([, name = '']) => name);
  const missing = [
    ...scripts.filter((name) => !(name in packageJson.scripts)),
    ...constants.filter((name) => !source.includes(name)),
  ];
  expect(missing).toEqual([]);
});

test('configuration.md describes every setting and no others', () => {
  const named = (path: string, pattern: RegExp) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(pattern)].map(([, name = '']) => name);
  const settings = named('src/server/config/settings.ts', /^ {2}([A-Z\d_]+): /gm);
  const rows = named('docs/configuration.md', /^(\| `[A-Z].*?) \|/gm).join('\n');
  const described = [...rows.matchAll(/`([A-Z\d_]+)`/g)].map(([, name]) => name);
  expect(described.sort()).toEqual([...settings, 'NODE_EXTRA_CA_CERTS'].sort());
});

test('every message quoted in operations.md occurs in the source code', () => {
  const text = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const sections = ['### Notices', '### The program refuses to start'].map(
    (heading) => text.split(`${heading}\n`)[1]?.split('\n#')[0] ?? '',
  );
  const quoted = sections.map((section) =>
    [...section.matchAll(/^- .*$/gm)].flatMap(([item]) =>
      [...item.matchAll(/\*\*(.+?)\*\*/g)].flatMap(([, message = '']) => message.split(/ ?[…/] ?/)),
    ),
  );
  expect(quoted.map((parts) => parts.length > 5)).toEqual([true, true]);
  expect(quoted.flat().filter((part) => !source.includes(part))).toEqual([]);
});

test('detects a missing file, whether the text gives its full path or its short name', () => {
  const found = pathsIn(
    '`nowhere.ts`, `src/app/server/start.ts`, `nowhere.ts`, `run.ts`, `src/nowhere/run.ts`, `src/nowhere/`',
  );
  expect(found.map((path) => path.isThere)).toEqual([false, true, false, true, false, false]);
});

/** Returns paragraphs, list items and lines of tables or drawings, each with the number of its first line. */
function itemsOf(document: string) {
  const items: { line: number; text: string }[] = [];
  let begins = true;
  for (const [index, text] of readFileSync(join(root, document), 'utf8').split('\n').entries()) {
    if (begins || /^\s*([-*|]|\d+\.) /.test(text)) items.push({ line: index + 1, text });
    else items.at(-1)!.text += `\n${text}`;
    begins = text.trim() === '';
  }
  return items;
}

/** Returns the headings as they appear in link fragments. */
const headingsOf = (document: string) =>
  [...readFileSync(join(root, document), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

type NamedPath = { named: string; at: string; from: string; isThere: boolean };

/**
 * Returns the paths in backticks; `<name>` and `*` in a path match anything. A path that begins with one of
 * our folders is complete. Any other path is looked up in the root, then in the folder of the last complete
 * path before it in the item. If there is no complete path before it, the path names a kind of file, such as
 * `contract.ts`, of which at least one must exist.
 */
function pathsIn(item: string): NamedPath[] {
  let folder = '';
  return [...item.matchAll(/`([^`\s]+)`/g)].flatMap(([, named = '']) => {
    const isWhole = FOLDERS.some((name) => named.startsWith(`${name}/`));
    const isFile = /^[\w.*<-][\w.*<>/-]*\.(ts|tsx|js|css|md|json|html|sql)$/.test(named);
    if (!isWhole && !isFile) return [];
    const isOfRoot = isWhole || isThere(named);
    const from = isOfRoot ? '' : folder;
    const at = isOfRoot || folder ? posix.join(from, named) : `**/${named}`;
    if (isWhole) folder = isFile ? posix.dirname(named) : named;
    return [{ named, at, from, isThere: isThere(at) }];
  });
}

function isThere(path: string): boolean {
  const pattern = path.replaceAll(/<\w+>/g, '*').replace(/\/$/, '');
  if (!pattern.includes('*')) return existsSync(join(root, pattern));
  return files.some((file) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`));
}
