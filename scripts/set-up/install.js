import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand, getSystemPathFolders } from '../run.js';

const OLDEST_NODE = 20;

/**
 * @typedef {{ version?: string, optionalDependencies?: Record<string, string>, dev?: boolean, devOptional?: boolean, optional?: boolean, os?: string[], cpu?: string[] }} Locked
 * @typedef {Record<string, Locked>} Packages
 */

/**
 * Installs packages if node_modules does not match package-lock.json.
 * @param {string} project
 * @param {{ dev?: boolean }} [options] whether development dependencies are needed
 * @returns {Promise<number>} an exit code
 */
export async function ensureNodeModules(project, { dev = false } = {}) {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
    console.error(
      `Yangchen needs Node ${OLDEST_NODE} or newer to set itself up, and this is Node ${process.versions.node}.`,
    );
    return 1;
  }
  if (areNodeModulesUpToDate(project, dev)) return 0;
  console.log('Installing what is missing. The first time this takes a minute or two …');
  // Keeps installed development dependencies, because `npm start` between two runs of the tests must not remove
  // them.
  const code = await install(project, dev || hasDevelopmentDependencies(project));
  if (code !== 0) console.error('Installing failed; npm says above why. Nothing else was started.');
  return code;
}

/**
 * Returns whether node_modules has exactly the lockfile's versions. Optional packages may be missing, unless
 * package.json names them and they are for this machine.
 * @param {string} project
 * @param {boolean} dev whether development dependencies count
 */
export function areNodeModulesUpToDate(project, dev) {
  const installed = packagesIn(join(project, 'node_modules', '.package-lock.json'));
  const locked = packagesIn(join(project, 'package-lock.json'));
  const named = Object.keys(locked['']?.optionalDependencies ?? {}).map((name) => `node_modules/${name}`);
  return Object.entries(locked).every(([path, want]) => {
    if (path === '' || (!dev && (want.dev || want.devOptional))) return true;
    const have = installed[path];
    if (have) return have.version === want.version && existsSync(join(project, path));
    return want.optional === true && !(named.includes(path) && isForThisMachine(want));
  });
}

/** @param {string} project */
const hasDevelopmentDependencies = (project) =>
  Object.values(packagesIn(join(project, 'node_modules', '.package-lock.json'))).some(({ dev }) => dev);

/**
 * @param {string} lockfile
 * @returns {Packages}
 */
function packagesIn(lockfile) {
  if (!existsSync(lockfile)) return {};
  return /** @type {{ packages: Packages }} */ (JSON.parse(readFileSync(lockfile, 'utf8'))).packages;
}

/** @param {Locked} locked */
const isForThisMachine = ({ os = [process.platform], cpu = [process.arch] }) =>
  os.includes(process.platform) && cpu.includes(process.arch);

/**
 * @param {string} project
 * @param {boolean} dev
 */
function install(project, dev) {
  const env = {
    ...process.env,
    // npm must not run on the Node in node_modules, which it may replace.
    PATH: getSystemPathFolders().join(delimiter),
    // The system's Node may be older than some packages require, but they run on the Node that the project
    // installs.
    npm_config_engine_strict: 'false',
  };
  // If only development dependencies are missing, adds them to the installed packages. `npm ci` would first
  // delete all packages, which a running server may need.
  const command = dev && areNodeModulesUpToDate(project, false) ? ['install', '--no-save'] : ['ci'];
  // Dependencies never run install scripts here, because no dependency needs to. The allow list (allowScripts)
  // is empty too.
  const options = ['--ignore-scripts', '--include=optional', dev ? '--include=dev' : '--omit=dev'];
  return runCommand('npm', [...command, ...options, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: project,
    env,
  });
}
