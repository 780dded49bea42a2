import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { getProjectNodePath, runCommand } from '../run.js';

/**
 * Builds dist/web (the pages, and in `.server` the program that serves them), unless it is up to date.
 * @param {string} project
 * @returns {Promise<number>} an exit code
 */
export async function ensureBuild(project) {
  const wanted = fingerprintSources(project);
  if (isBuilt(project, wanted)) return 0;
  console.log('Building …');
  const dist = join(project, 'dist');
  mkdirSync(dist, { recursive: true });
  removeAbandoned(dist);
  // Built in a temporary folder, so that concurrent or killed builds never leave a half-built site.
  const fresh = join(dist, `web.new-${process.pid}`);
  const vite = join(project, 'node_modules', 'vite', 'bin', 'vite.js');
  /** @param {string[]} args */
  const build = (...args) =>
    // Warnings only: vite lists hundreds of files, which would hide the first password.
    runCommand(getProjectNodePath(project), [vite, 'build', '--logLevel', 'warn', ...args], {
      cwd: project,
      env: { ...process.env, NODE_ENV: 'production' },
    });
  const forServer = ['--ssr', '--outDir', join(fresh, '.server')];
  // Builds both into one folder, so that the builds for browser and server always come from the same sources.
  const code = (await build('--outDir', fresh, '--emptyOutDir')) || (await build(...forServer));
  if (code !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    console.error('The build failed; vite says above why.');
    return code;
  }
  replaceBuild(fresh, join(dist, 'web'));
  writeFileSync(join(dist, '.built'), `${wanted}\n`);
  return 0;
}

/**
 * Builds only if there is no build with the admin command. Keeps a build of older sources, because a running
 * server may be serving it.
 * @param {string} project
 * @returns {Promise<number>} an exit code
 */
export function ensureAnyBuild(project) {
  return existsSync(join(project, 'dist', 'web', '.server', 'main.admin.js'))
    ? Promise.resolve(0)
    : ensureBuild(project);
}

/**
 * Hashes the names and contents of all inputs of the build. Ignores timestamps, because every checkout or copy
 * changes them.
 * @param {string} project
 */
export function fingerprintSources(project) {
  const hash = createHash('sha256');
  for (const path of sources(project)) {
    const bytes = readFileSync(join(project, path));
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/**
 * Replaces the last build with a finished build.
 * @param {string} fresh
 * @param {string} place
 */
export function replaceBuild(fresh, place) {
  const old = `${place}.old-${process.pid}`;
  for (;;) {
    try {
      renameSync(fresh, place);
      break;
    } catch (error) {
      if (!isThere(error)) throw error;
    }
    // If another build finishes at the same time, the slower of the two retries.
    try {
      renameSync(place, old);
    } catch {
      continue;
    }
    rmSync(old, { recursive: true, force: true });
  }
}

/**
 * @param {string} project
 * @param {string} wanted
 */
function isBuilt(project, wanted) {
  const stamp = join(project, 'dist', '.built');
  return (
    existsSync(join(project, 'dist', 'web')) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8').trim() === wanted
  );
}

/**
 * @param {string} project
 * @returns {string[]} paths relative to the project, in a deterministic order
 */
function sources(project) {
  const single = ['index.html', 'vite.config.ts', 'package-lock.json'].filter((name) =>
    existsSync(join(project, name)),
  );
  return [...single, ...filesIn(project, 'src'), ...filesIn(project, 'public')]
    .filter((path) => !/\.test\.tsx?$/.test(path))
    .sort();
}

/**
 * @param {string} project
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(project, folder) {
  if (!existsSync(join(project, folder))) return [];
  return readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => statSync(join(project, path)).isFile());
}

/**
 * Removes the temporary folders of killed builds. A folder older than an hour is taken to be one of these,
 * because no build takes that long.
 * @param {string} dist
 */
function removeAbandoned(dist) {
  for (const name of readdirSync(dist).filter((entry) => /^web\.(new|old)-/.test(entry))) {
    const path = join(dist, name);
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - made > 3_600_000) rmSync(path, { recursive: true, force: true });
  }
}

/** @param {unknown} error */
const isThere = (error) => ['ENOTEMPTY', 'EEXIST'].includes(codeOf(error));

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error && 'code' in error ? String(error.code) : '');
