/**
 * @typedef {{ name: string, version: string, licence: string, note?: string }} Shipped
 * @typedef {{ license?: unknown, version?: string }} Manifest
 * @typedef {{ packages: Record<string, { dev?: boolean, version?: string }> }} Lockfile
 */

/**
 * Licences under which anybody may run, change and redistribute the whole. The LGPL requires that its part can be
 * replaced: each of these is a package of its own, loaded from node_modules.
 */
const MAY_BE_SHIPPED = new Set([
  ...['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'Apache-2.0'],
  ...['MPL-2.0', 'OFL-1.1', 'CC0-1.0', 'CC-BY-4.0', 'Unlicense', 'Python-2.0', 'PostgreSQL'],
  ...['LGPL-2.1', 'LGPL-2.1-or-later', 'LGPL-3.0-or-later'],
]);

/** What a package's own licence does not say about the compiled code in it. @type {Record<string, string>} */
const HOLDS = {
  'mpg123-decoder':
    'holds libmpg123, LGPL-2.1; src/server/audio/decode-wasm.ts does without it where ffmpeg is',
};

/**
 * Every installed package of the lockfile that is not only for development, by name.
 * @param {Lockfile} lockfile
 * @param {(path: string) => Manifest} manifestOf throws for what is not installed, being for another platform
 * @returns {Shipped[]}
 */
export function shippedPackages(lockfile, manifestOf) {
  return Object.entries(lockfile.packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .flatMap(([path]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      try {
        const { license, version = '' } = manifestOf(path);
        const licence = typeof license === 'string' ? license : 'unknown';
        return [{ name, version, licence, ...(HOLDS[name] && { note: HOLDS[name] }) }];
      } catch {
        return [];
      }
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}

/**
 * @param {Shipped[]} shipped
 * @returns {string[]} a sentence for each that may not be shipped
 */
export function problemsOf(shipped) {
  return shipped
    .filter(({ licence }) => !maybeShipped(licence))
    .map(({ name, version, licence }) => `${name} ${version} is under ${licence}, which is not on the list.`);
}

/**
 * An SPDX expression: with OR one allowed licence is enough, with AND all must be.
 * @param {string} expression
 * @returns {boolean}
 */
function maybeShipped(expression) {
  const plain = expression.replaceAll(/[()]/g, '');
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((each) => MAY_BE_SHIPPED.has(each.trim())));
}
