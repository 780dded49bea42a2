import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, systemPath } from '../run.js';

const oldestNode = 20;

/**
 * Makes node_modules match package-lock.json.
 * @param {string} project
 * @returns {Promise<number>} an exit code
 */
export async function provideModules(project) {
  if (Number.parseInt(process.versions.node, 10) < oldestNode) {
    console.error(
      `Yangchen needs Node ${oldestNode} or newer to set itself up, and this is Node ${process.versions.node}.`,
    );
    return 1;
  }
  const wanted = fingerprint(project);
  if (stampOf(project) === wanted) return 0;
  if (!isInstalledByHand(project)) {
    console.log('Installing what is missing. The first time this takes a minute or two …');
    const code = await installAll(project);
    if (code !== 0) {
      console.error('Installing failed; npm says above why. Nothing else was started.');
      return code;
    }
  }
  writeFileSync(stampFile(project), `${wanted}\n`);
  return 0;
}

/**
 * What the installed modules depend on, as one hash.
 * @param {string} project
 */
export function fingerprint(project) {
  const manifest = readManifest(project);
  const hash = createHash('sha256').update(readFileSync(join(project, 'package-lock.json')));
  for (const section of /** @type {const} */ ([
    'dependencies',
    'devDependencies',
    'optionalDependencies',
    'overrides',
  ]))
    hash.update(JSON.stringify(manifest[section] ?? {}));
  // A folder copied to another machine holds binaries for the wrong one.
  return hash.update(`${process.platform}-${process.arch}`).digest('hex');
}

/**
 * Whether npm, called by hand, has installed exactly what the lockfile says. Optional packages may be missing, being
 * for other platforms, unless package.json names them and they are for this one.
 * @param {string} project
 */
export function isInstalledByHand(project) {
  const list = join(project, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
  const installed = /** @type {Lockfile} */ (readJson(list)).packages;
  const locked = /** @type {Lockfile} */ (readJson(join(project, 'package-lock.json'))).packages;
  const named = Object.keys(readManifest(project).optionalDependencies ?? {});
  return Object.entries(locked).every(([path, want]) => {
    if (path === '') return true;
    const have = installed[path];
    if (have) return have.version === want.version && existsSync(join(project, path));
    const isOurs = named.some((name) => path === `node_modules/${name}`) && isForThisMachine(want);
    return want.optional === true && !isOurs;
  });
}

/**
 * @typedef {{ version?: string, optional?: boolean, os?: string | string[], cpu?: string | string[] }} Locked
 * @typedef {{ packages: Record<string, Locked> }} Lockfile
 * @typedef {Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies' | 'overrides', Record<string, string>>>} Manifest
 */

/** @param {Locked} locked */
const isForThisMachine = ({ os = process.platform, cpu = process.arch }) =>
  [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch);

/** @param {string} project */
const readManifest = (project) => /** @type {Manifest} */ (readJson(join(project, 'package.json')));

/**
 * @param {string} file
 * @returns {unknown}
 */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** @param {string} project */
const stampFile = (project) => join(project, 'node_modules', '.yangchen-installed');

/** @param {string} project */
const stampOf = (project) =>
  existsSync(stampFile(project)) ? readFileSync(stampFile(project), 'utf8').trim() : null;

/** @param {string} project */
function installAll(project) {
  const env = {
    ...process.env,
    // npm must not run on the Node in node_modules, which it is about to replace.
    PATH: systemPath().join(delimiter),
    // The system's Node may be older than some packages require: they run on the one that is installed here.
    npm_config_engine_strict: 'false',
  };
  // No dependency runs an install script here: none needs to, and the allow list is empty (allowScripts).
  const args = ['ci', '--ignore-scripts', '--include=dev', '--include=optional'];
  args.push('--no-audit', '--no-fund', '--loglevel=error');
  return run('npm', args, { cwd: project, env });
}
