import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob, posix } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const FOLDERS = ['bench', 'chaos', 'deploy', 'docs', 'e2e', 'public', 'scripts', 'src'];
const files = globSync(`{${FOLDERS.join(',')}}/**/*.*`, { cwd: root });
const documents = globSync(['docs/*.md', 'docs/decisions/*.md', 'README.md', 'CONTRIBUTING.md'], {
  cwd: root,
});

test.each(documents)('every path that %s names is there', (document) => {
  const missing = itemsOf(document).flatMap(({ line, text }) =>
    pathsIn(text)
      .filter(({ isThere }) => !isThere)
      .map(({ named, from }) => `${document}:${line}: no file ${named}${from && ` (seen from ${from})`}`),
  );
  expect(missing).toEqual([]);
});

test.each(documents)('every name that %s says is in a file is in it', (document) => {
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

test.each(documents)('every link in %s leads to a file, and to a heading in it', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const missing = [...text.matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].filter(
    ([, link = '', heading = '']) => {
      const file = link === '' ? document : posix.join(dirname(document), link);
      return !isThere(file) || (heading !== '' && !headingsOf(file).includes(heading));
    },
  );
  expect(missing.map(([link]) => link)).toEqual([]);
});

test('configuration.md describes every setting, and no other', () => {
  const named = (path: string, pattern: RegExp) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(pattern)].map(([, name = '']) => name);
  const settings = named('src/server/config/settings.ts', /^ {2}([A-Z\d_]+): /gm);
  const rows = named('docs/configuration.md', /^(\| `[A-Z].*?) \|/gm).join('\n');
  const described = [...rows.matchAll(/`([A-Z\d_]+)`/g)].map(([, name]) => name);
  expect(described.sort()).toEqual([...settings, 'NODE_EXTRA_CA_CERTS'].sort());
});

test('a file that was renamed is noticed, by its full path and by its short name', () => {
  const found = pathsIn(
    '`nowhere.ts`, `src/app/server/start.ts`, `nowhere.ts`, `run.ts`, `src/nowhere/run.ts`, `src/nowhere/`',
  );
  expect(found.map((path) => path.isThere)).toEqual([false, true, false, true, false, false]);
});

/** Paragraphs, list items and lines of drawings, each with the number of its first line. */
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

/** As they stand in addresses. */
const headingsOf = (document: string) =>
  [...readFileSync(join(root, document), 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );

type NamedPath = { named: string; at: string; from: string; isThere: boolean };

/**
 * The paths in backticks. A path that begins with one of our folders is whole; `<name>` and `*` in it stand for
 * anything. A shorter one is seen from the folder of the last whole path of its item. Where there is none it names a
 * kind of file, as `contract.ts` does, and one such file is enough.
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
