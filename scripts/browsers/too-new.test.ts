import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';
import { compareWithKnownUnsupportedFeatures } from './compare-with-known-unsupported.ts';
import { findTooNewFeatures } from './too-new.ts';
import { findTooNewStyles } from './too-new-styles.ts';

const folder = mkdtempSync(join(tmpdir(), 'yangchen-too-new-'));
afterAll(() => rmSync(folder, { recursive: true }));

const files = {
  'page.ts': `
    import { later } from './imported.ts';
    import type { Server } from './of-the-server.ts';
    export const server: Server | null = later;
    const given = new AbortController().signal;
    AbortSignal.any([given]);
    export const { size } = new URLSearchParams();
    export const sorted = (songs: readonly string[]) => songs.toSorted();
    Promise.withResolvers();
    structuredClone({ any: 1 }).any;
    const any = { any: () => 1 };
    any.any();
    [1].at(-1);
    fetch('/', { priority: 'low' });
    document.startViewTransition;
    addEventListener('click', () => void import('./lazy.ts'));
    new Worker('').onmessage = null;`,
  'imported.ts': `export const later = null; new Set([1]).union(new Set([2]));`,
  'lazy.ts': `export const clean = 'a'.isWellFormed();`,
  'of-the-server.ts': `export type Server = typeof made; const made = 'a'.toWellFormed();`,
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);

test('finds APIs that a supported browser lacks, even in lazily loaded code', () => {
  const { tooNew, unknown } = findTooNewFeatures(folder, [join(folder, 'page.ts')], {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'],
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  });
  expect(Object.fromEntries(tooNew.map(({ name, files: where }) => [name, where]))).toEqual({
    'AbortSignal.any': ['page.ts'],
    'Array.toSorted': ['page.ts'],
    'Document.startViewTransition': ['page.ts'],
    'Promise.withResolvers': ['page.ts'],
    'Set.union': ['imported.ts'],
    'String.isWellFormed': ['lazy.ts'],
    'URLSearchParams.size': ['page.ts'],
  });
  expect(tooNew.find(({ name }) => name === 'AbortSignal.any')?.missing).toBe(
    'safari 17.4, safari_ios 17.4, chrome 116, chrome_android 116, edge 116, firefox 124, firefox_android 124',
  );
  expect(unknown).toEqual([]);
});

test('finds CSS features that a supported browser lacks, except inside @supports', () => {
  const found = findTooNewStyles(`
    h1:has(a), .\\[\\&_svg\\] svg { text-wrap: balance; width: calc(100dvw - 1px); color: oklch(1 0 0) }
    .a { .b & { color: light-dark(#000, #fff) } }
    @starting-style { a { opacity: 0 } }
    @supports (text-wrap: pretty) { p { text-wrap: pretty } }
    q::before { content: "light-dark(" }`);
  expect(found.map(({ name }) => name)).toEqual([
    ':has',
    '@starting-style',
    'light-dark()',
    'nesting',
    'text-wrap',
    'text-wrap: balance',
  ]);
});

test('reports features that are not accepted, and exceptions that are no longer needed', () => {
  const used = (name: string) => ({ name, files: ['a.ts'], missing: 'firefox 121' });
  const accepted = { 'Map.groupBy': 'checked first', cursor: 'no pointer', hyphens: 'none' };
  const found = [used('Map.groupBy'), used('cursor: pointer'), used(':has')];
  expect(compareWithKnownUnsupportedFeatures(found, accepted)).toEqual([
    'a.ts: :has needs firefox 121.',
    'scripts/browsers/known-unsupported.ts: hyphens is not used, or not too new any more.',
  ]);
});
