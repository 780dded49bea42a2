// Lists what runs in the program or in the browser, with its licence: npm run licences
// Exits with 1 if any of them may not be shipped.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { problemsOf, shippedPackages } from './licences/shipped.js';

const project = fileURLToPath(new URL('..', import.meta.url));
const shipped = shippedPackages(
  /** @type {import('./licences/shipped.js').Lockfile} */ (read('package-lock.json')),
  (path) => /** @type {import('./licences/shipped.js').Manifest} */ (read(join(path, 'package.json'))),
);

const width = Math.max(...shipped.map(({ name, version }) => `${name} ${version}`.length));
for (const { name, version, licence, note } of shipped) {
  console.log(`${`${name} ${version}`.padEnd(width)}  ${licence}${note ? ` (${note})` : ''}`);
}
const problems = problemsOf(shipped);
for (const problem of problems) console.error(problem);
console.log(`\n${shipped.length} packages, ${problems.length} that may not be shipped`);
process.exitCode = problems.length > 0 ? 1 : 0;

/**
 * @param {string} path
 * @returns {unknown}
 */
function read(path) {
  return JSON.parse(readFileSync(join(project, path), 'utf8'));
}
