import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getSystemPathFolders } from './run.js';

/**
 * Finds a program on the PATH.
 * @param {string} name
 * @returns {string | null} its path; null if it is not installed
 */
export function findProgram(name) {
  return (
    getSystemPathFolders()
      .map((folder) => join(folder, name))
      .find(isProgram) ?? null
  );
}

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/**
 * Returns the folder with the programs of Debian's newest PostgreSQL server, which are not on the PATH; null if
 * there is none.
 */
export function findPostgresFolder() {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  return (
    versions
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN_POSTGRES, version, 'bin'))
      .find((folder) => isProgram(join(folder, 'postgres'))) ?? null
  );
}

/**
 * Explains which programs are missing on this machine.
 * @param {string[]} programs
 * @param {string} packages Debian packages that contain the programs
 * @returns {string | null} part of a sentence; null if all programs are present
 */
export function explainMissingPrograms(programs, packages) {
  const missing = programs.filter((name) => !findProgram(name));
  if (missing.length === 0) return null;
  return `there is no ${missing.join(', ')} (Debian: apt-get install --no-install-recommends ${packages})`;
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
