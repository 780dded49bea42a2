import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * Licences that let anybody run, change and share the program. LGPL is fine, because users can replace
 * packages.
 */
const ALLOWED = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'Apache-2.0'],
  ...['MPL-2.0', 'OFL-1.1', 'CC0-1.0', 'CC-BY-4.0', 'Unlicense', 'Python-2.0', 'PostgreSQL'],
  ...['LGPL-2.1', 'LGPL-2.1-or-later', 'LGPL-3.0-or-later'],
]);

/** Evaluates an SPDX expression: one allowed licence is enough with OR, all must be allowed with AND. */
const isAllowed = (expression = '') =>
  expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => ALLOWED.has(licence.trim())));

test('every shipped package has a licence that allows shipping it', () => {
  const lockfile = readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lockfile) as {
    packages: Record<string, { dev?: boolean; license?: string }>;
  };
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  expect(shipped.length).toBeGreaterThan(50);
  expect(shipped.filter(([, { license }]) => !isAllowed(license))).toEqual([]);
});

test.each([
  ['MIT OR GPL-3.0-only', true],
  ['(MIT AND CC-BY-4.0)', true],
  ['MIT AND GPL-3.0-only', false],
  ['AGPL-3.0-only', false],
  ['', false],
])('a package with licence “%s” may be shipped: %s', (licence, may) => {
  expect(isAllowed(licence)).toBe(may);
});
