import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { getSystemPath } from './run.js';

/**
 * @param {string} name
 * @returns {string | null} the path of a program on the PATH
 */
export function findProgram(name) {
  return (
    getSystemPath()
      .map((folder) => join(folder, name))
      .find(isProgram) ?? null
  );
}

/**
 * @param {string[]} programs
 * @param {string} packages Debian packages that contain them
 * @returns {string | null} a sentence about the programs missing on this machine; null if all are present
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
