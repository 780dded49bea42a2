import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { problemsOf, shippedPackages } from './shipped.js';

const project = join(import.meta.dirname, '..', '..');
const read = (path: string) => JSON.parse(readFileSync(join(project, path), 'utf8')) as never;

test('everything shipped is under a licence that allows it', () => {
  const shipped = shippedPackages(read('package-lock.json'), (path) => read(`${path}/package.json`));
  expect(shipped.length).toBeGreaterThan(50);
  expect(shipped.map(({ name }) => name)).not.toContain('vitest');
  expect(shipped.find(({ name }) => name === 'mpg123-decoder')?.note).toContain('LGPL');
  expect(problemsOf(shipped)).toEqual([]);
});

test.each([
  ['MIT OR GPL-3.0-only', true],
  ['(MIT AND CC-BY-4.0)', true],
  ['MIT AND GPL-3.0-only', false],
  ['AGPL-3.0-only', false],
  ['unknown', false],
])('%s may be shipped: %s', (licence, may) => {
  expect(problemsOf([{ name: 'some', version: '1.0.0', licence }])).toHaveLength(may ? 0 : 1);
});

test('no dependency may run an install script', () => {
  expect(read('package.json')).toMatchObject({ allowScripts: {} });
});
